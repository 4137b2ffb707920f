/**
 * The live connection to a table: watches from one seat, sends orders, resynchronises by itself.
 *
 * A lost socket is opened again with growing pauses; a gap in the versions asks for the whole state. Orders wait for the
 * server's `done` or `error`; an order that was on its way when the connection broke is reported as lost, never repeated.
 */
import { applyUpdate, fits } from "../model/apply";
import type { Clock, ErrorBody, Lang, ServerMessage, Side, StateMessage } from "../wire";

export interface Listener {
  state(state: StateMessage, before: StateMessage | null): void;
  status(online: boolean): void;
  problem(error: ErrorBody): void;
  rematch(table: string): void;
  thinking(side: Side, done: number, total: number): void;
}

export interface Socket {
  onopen: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  readonly readyState: number;
  send(text: string): void;
  close(): void;
}

const PAUSES = [250, 500, 1000, 2000, 4000, 8000];
const PING_EVERY = 20_000;

interface Waiting {
  resolve(): void;
  reject(error: ErrorBody): void;
}

export class Connection {
  state: StateMessage | null = null;
  private socket: Socket | null = null;
  private closed = false;
  private attempts = 0;
  private next = 1;
  private heard = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pinger: ReturnType<typeof setInterval> | undefined;
  private readonly waiting = new Map<string, Waiting>();

  constructor(
    private readonly open: () => Socket,
    private readonly listener: Listener,
    public as: Side | null,
    public lang: Lang,
  ) {
    this.connect();
    this.pinger = setInterval(() => this.ping(), PING_EVERY);
  }

  /** Look from another seat, or in another language; also after a lost connection. */
  watch(as: Side | null = this.as, lang: Lang = this.lang): void {
    this.as = as;
    this.lang = lang;
    this.post({ type: "watch", as, version: null, lang });
  }

  /** Send an order; settled when the server has stored it or said no. */
  order(type: string, facts: { readonly [key: string]: unknown }): Promise<void> {
    const id = String(this.next++);
    return new Promise((resolve, reject) => {
      if (this.socket?.readyState !== 1) {
        reject({ code: "offline", message: "" });
        return;
      }
      this.waiting.set(id, { resolve, reject });
      this.post({ type, id, ...facts });
    });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.pinger);
    this.socket?.close();
  }

  /** The network is back: do not wait for the pause to end. */
  hurry(): void {
    if (this.socket || this.closed) return;
    clearTimeout(this.timer);
    this.attempts = 0;
    this.connect();
  }

  private connect(): void {
    const socket = this.open();
    this.socket = socket;
    socket.onopen = () => {
      this.attempts = 0;
      this.heard = Date.now();
      this.listener.status(true);
      this.watch();
    };
    socket.onmessage = (event) => this.hear(JSON.parse(String(event.data)) as ServerMessage);
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.listener.status(false);
      for (const one of this.waiting.values()) one.reject({ code: "offline", message: "" });
      this.waiting.clear();
      if (!this.closed) this.timer = setTimeout(() => this.connect(), PAUSES[Math.min(this.attempts++, PAUSES.length - 1)]);
    };
  }

  private hear(message: ServerMessage): void {
    this.heard = Date.now();
    const state = this.state;
    switch (message.type) {
      case "state":
        this.show(timed(message, this.heard));
        break;
      case "update":
        if (state && fits(state, message)) this.show(applyUpdate(state, timed(message, this.heard)));
        else if (!state || message.version > state.version) this.watch();
        break;
      case "chat":
        if (state) this.show({ ...state, chat: [...state.chat, message] });
        break;
      case "presence":
        if (state) this.show({ ...state, seats: message.seats });
        break;
      case "dice":
        if (state) this.show({ ...state, seats: message.seats, dice: message.dice });
        break;
      case "offer":
        if (state) this.show({ ...state, offers: [...(state.offers ?? []).filter((o) => o.kind !== message.kind || o.side !== message.side), message] });
        break;
      case "done":
        this.waiting.get(String(message.reply_to))?.resolve();
        this.waiting.delete(String(message.reply_to));
        break;
      case "error":
        this.fail(message);
        break;
      case "thinking":
        this.listener.thinking(message.side, message.done, message.total);
        break;
      case "rematch":
        this.listener.rematch(message.table);
        break;
      case "pong":
        if (state && message.version !== undefined && message.version > state.version) this.watch();
    }
  }

  private fail(error: { readonly reply_to?: string } & ErrorBody): void {
    const one = error.reply_to === undefined || error.reply_to === null ? undefined : this.waiting.get(String(error.reply_to));
    this.waiting.delete(String(error.reply_to));
    if (error.code === "stale") this.watch();
    if (one) one.reject(error);
    else this.listener.problem(error);
  }

  private show(next: StateMessage): void {
    const before = this.state;
    this.state = next;
    this.listener.state(next, before);
  }

  private post(message: object): void {
    if (this.socket?.readyState === 1) this.socket.send(JSON.stringify(message));
  }

  private ping(): void {
    if (this.socket && Date.now() - this.heard > 2.5 * PING_EVERY) this.socket.close();
    else this.post({ type: "ping" });
  }
}

/** Clocks run on by this browser's own time, whatever the server's is. */
const timed = <M extends { readonly clock?: Clock }>(message: M, heard: number): M => (message.clock?.bank ? { ...message, clock: { ...message.clock, heard } } : message);
