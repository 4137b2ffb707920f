/** The client: one small program for every page. */
import { render } from "preact";
import { lang } from "./text";
import { place, startRouter } from "./ui/router";
import { JoinPage } from "./ui/pages/join";
import { LabPage } from "./ui/pages/lab";
import { LobbyPage } from "./ui/pages/lobby";
import { NewTablePage } from "./ui/pages/newtable";
import { RatingsPage } from "./ui/pages/ratings";
import { ReportPage } from "./ui/pages/report";
import { ResetPage } from "./ui/pages/reset";
import { RulesPage } from "./ui/pages/rules";
import { TablePage } from "./ui/pages/table";
import "./styles/base.css";
import "./styles/fonts.css";
import "./styles/pages.css";
import "./styles/table.css";
import "./styles/board.css";
import "./styles/terrain.css";
import "./styles/tabletop.css";
import "./styles/pointing.css";
import "./styles/report.css";
import "./styles/teach.css";

function App() {
  const url = new URL(place.value, location.origin);
  const [, first, second, third] = url.pathname.split("/");
  if (first === "g" && second && third === "report") return <ReportPage id={second} />;
  if (first === "g" && second) {
    const at = url.searchParams.get("at");
    return <TablePage key={second} id={second} as={url.searchParams.get("as")} at={at === null ? null : Number(at)} />;
  }
  if (first === "join") return <JoinPage />;
  if (first === "reset") return <ResetPage />;
  if (first === "new") return <NewTablePage game={url.searchParams.get("game") ?? ""} />;
  if (first === "lab") return <LabPage />;
  if (first === "ratings") return <RatingsPage />;
  if (first === "rules" && second) return <RulesPage game={second} />;
  return <LobbyPage />;
}

document.documentElement.lang = lang.peek();
startRouter();
render(<App />, document.getElementById("app")!);
