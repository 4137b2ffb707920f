/** Numbers of the designer's page as the reader's language writes them. */
import { lang } from "../../text";

const digits = (value: number, places: number): string => value.toFixed(places).replace(".", lang.value === "fr" ? "," : ".");

/** A share: 47.3 %. */
export const shareSaid = (share: number, places = 1): string => `${digits(share * 100, places)} %`;

/** A difference of shares in points: +4.2. */
export const signedSaid = (share: number, places = 1): string => {
  const plain = digits(Math.abs(share * 100), places);
  return `${/[1-9]/.test(plain) ? (share < 0 ? "−" : "+") : ""}${plain}`;
};
