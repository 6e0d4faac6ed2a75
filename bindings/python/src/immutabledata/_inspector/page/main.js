// The page of the inspector.

import { ActionList } from "./action-list.js";
import { follow, read, restore, write } from "./address.js";
import { listen } from "./api.js";
import { CommitView } from "./commit-view.js";
import { CompareView } from "./compare-view.js";
import { DispatchView } from "./dispatch-view.js";
import { byId, el } from "./dom.js";
import { makeKeys } from "./keys.js";
import { Model, TABS } from "./model.js";
import { Notices, watchConnection } from "./notices.js";
import { OverviewView } from "./overview-view.js";
import { SelectorsView } from "./selectors-view.js";
import { StateView } from "./state-view.js";
import { makeTabs } from "./tabs.js";
import { toggleTheme } from "./theme.js";
import { Timeline } from "./timeline.js";
import { makeTopBar } from "./top-bar.js";

const model = new Model();
const notices = new Notices();
const { report } = notices;
const say = (/** @type {string} */ text) => notices.say(text);
const connection = watchConnection(model, notices);

const list = new ActionList(model, report);
const overview = new OverviewView(model);
const timeline = new Timeline(model, { report, say });
const state = new StateView(model, report);
const { list: tabs, panels } = makeTabs(model, {
  state,
  overview,
  commit: new CommitView(model),
  compare: new CompareView(model),
  selectors: new SelectorsView(model),
  dispatch: new DispatchView(model),
});

async function copyLink() {
  const link = new URL(write({ ...model, following: false }), location.href);
  try {
    await navigator.clipboard.writeText(String(link));
    say("The link is in the clipboard.");
  } catch {
    say(`The link is ${link}`);
  }
}

/** The parts that F6 goes through. */
const parts = () => [
  list.grid,
  timeline.slider,
  tabs.querySelector("[tabindex='0']"),
  model.tab === "state" ? state.tree.view : byId(`panel-${model.tab}`),
];

function nextPart() {
  const all = parts();
  const at = all.findIndex((part) => part.contains(document.activeElement));
  all[(at + 1) % all.length].focus();
}

/** @type {Record<string, () => void>} */
const actions = {
  "/": () => list.filters.search.focus(),
  f: () => model.setFollowing(!model.following),
  ",": () => timeline.step(-1),
  ".": () => timeline.step(1),
  "[": () => timeline.step(-Infinity),
  "]": () => timeline.step(Infinity),
  m: () => model.setMark(model.commit),
  p: () => {
    model.setTab("state");
    state.input.focus();
  },
  t: toggleTheme,
  l: copyLink,
  U: () => timeline.control("undo"),
  R: () => timeline.control("redo"),
  F6: nextPart,
};
for (const [at, tab] of TABS.entries()) actions[String(at + 1)] = () => model.setTab(tab);

const views = el("section.views", { "aria-label": "Views" }, tabs, ...panels);
const columns = el("main.columns", list.element, views);
document.body.replaceChildren(
  makeTopBar(model, { showKeys: () => showKeys(), copyLink, report }),
  notices.banner,
  timeline.element,
  columns,
  notices.toast,
);
const showKeys = makeKeys(actions);

async function suggestTypes() {
  try {
    const { actions: known = [] } = await model.describe();
    list.filters.suggest(known.map((/** @type {any} */ action) => action.type));
  } catch {
    // A program that cannot describe its actions has no suggestions.
  }
}

/** @param {any} program */
function take(program) {
  const isFirst = model.program === null;
  const cameBack = !isFirst && program.process !== model.program.process;
  model.setProgram(program);
  if (cameBack) model.emit("tab");
  if (isFirst) restore(model, read(location.hash));
}

model.on(["store"], suggestTypes);
model.on(["follow"], () => list.element.classList.toggle("following", model.following));
/** @type {EventSource | null} what sends lines of the trace, while they are wanted */
let trace = null;
model.on(["trace"], () => {
  trace?.close();
  trace = model.tracing ? listen({ trace: (news) => overview.addLine(news) }, true) : null;
});
follow(model);
// Begins with the program, in the order in which the server learns of all else.
listen({
  open: () => connection.setReachable(true),
  error: () => connection.setReachable(false),
  program: take,
  commits: (news) => model.addCommits(news),
  connection: ({ connected }) => {
    if (!model.program) return;
    model.setProgram({ ...model.program, connected });
  },
});
