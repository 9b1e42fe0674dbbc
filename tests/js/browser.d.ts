// What scripts find in the browser beside the DOM: a widget's model, and what scenes hold.

/** anywidget's model, of a widget with the traits T: a cell has one from the kernel, a web page brings its own. */
interface Model<T = Record<string, any>> {
  get<Name extends keyof T & string>(name: Name): T[Name];
  on(event: string, listener: (content: any) => void): void;
  off(event: string, listener: (content: any) => void): void;
  send(content: object, callbacks?: unknown, buffers?: ArrayBuffer[]): void;
}

/** What `coursekit/table/widget.py` syncs. */
interface TableTraits {
  view: View;
  setup: Record<string, any>;
  words: Record<string, string>;
  languages: { value: string; label: string }[];
  art: string;
  handbook: Record<string, Page>;
  zone_css: string;
  stills?: { line: string; view: View }[];
}

interface Weighed {
  label: string;
  taken: boolean;
  good: number;
  low: number;
  high: number;
  payoff: string;
}

/** What `coursekit/table/host.py` sends after each step. */
interface View {
  table: string;
  match: string;
  branch: number;
  acted: number;
  events: number;
  tick: number;
  entry: number;
  entries: number;
  viewer: number | null;
  people: number;
  waiting: number;
  language: string;
  scenes: Scene[];
  story: string[];
  told: number[];
  more: boolean;
  /** What somebody sees who has no seat, once it was asked for. */
  spectator?: { scenes: Scene[]; story: string[]; told: number[] };
  covered: { seat: number; name: string }[];
  covered_words: string;
  /** How the last decision could be taken back, if it told nobody anything. */
  take_back?: { decision: number; ask: string } | null;
  /** Whether all hands lie open, so that none is covered. */
  bare?: boolean;
  /** Whether the viewer has anything that others may not see. */
  hides?: boolean;
  /** Which of a class's tables this is, in words. */
  where?: string;
  /** Whether it is a board on a projector, which nobody touches. */
  board?: boolean;
  racing: number | false;
  looking_back: boolean;
  may_look_back: boolean;
  /** Why the strategy did what comes after the moment that is looked back at. */
  why: string;
  may_weigh: boolean;
  /** What came of each action at the decision that is looked back at, once it was asked for. */
  weighed: { title: string; how: string; good: string; payoff: string; rows: Weighed[] } | null;
  may_save: boolean;
  named: boolean;
  kept: boolean;
  seed: string | null;
  offer: { id: string; title: string; resume: string } | null;
  notice?: string;
  /** Whether a new player is told the rules in short. */
  guided?: boolean;
  /** Whether it is played in a room: other screens have the other seats, and its clocks are elsewhere. */
  hosted?: boolean;
  left?: Record<string, number>;
  /** What is said of keeping the match; a choice is what its button sends. */
  boxes?: { kind: string; text: string; choices: { label: string; send: object }[] }[];
  trouble: {
    seat: number;
    by: string;
    text: string;
    choices: { value: string; label: string }[];
  } | null;
}

/** `coursekit/kit/scene.py` tells of each. */
interface Scene {
  title: string;
  prompt: string;
  turn: boolean;
  over: boolean;
  beat: number;
  sober?: boolean;
  /** Of the rules in short, the one that matters most, and those that a new player is told now. */
  rule?: number | null;
  hints?: number[];
  moments?: { kind: string; seat?: number; piece?: string }[];
  zones: Zone[];
}

/** What is drawn on the way to a scene: `way` is how something moves in it, `thrown` which dice do. */
interface Stage {
  way: "tumble" | "settle" | "fly";
  scene: Scene;
  thrown?: number[];
}

interface Zone {
  kind: string;
  place: "far" | "middle" | "near" | "side";
  label?: string;
  note?: string;
  folded?: boolean;
  zones?: Zone[];
  dice?: { value: number | string; label: string; caption?: string }[];
  choices?: Choice[];
  [part: string]: any; // what its kind draws
}

interface Choice {
  label: string;
  action: unknown;
  legal: boolean;
  seat?: number;
  primary?: boolean;
  after?: number;
  key?: string;
  held?: boolean;
}

interface Page {
  title: string;
  lead?: string;
  heading?: string;
  text: string[];
  facts: { label: string; value: string }[];
  note?: string;
  source?: string;
}

interface Window {
  coursekitAnswers?: Map<string, { question: string; text: string }>; // of the journal's cells on this page
  // serve/static/frame.js, and Voilà
  coursekit_lost: () => void;
  coursekit_incomplete: () => void;
  coursekit_keep?: () => Promise<unknown>;
  coursekit_reconnect?: () => unknown;
  coursekit_draws: (draw: (outputs: Element[]) => Promise<void>) => void;
  coursekit_cell: (ends: boolean) => void;
  coursekit_complete: () => void;
  _JUPYTERLAB?: Record<string, { init: (scope: object) => void; get: () => Promise<() => object> }>;
  voila_heartbeat: () => void;
  voila_process: (done: number, all: number) => void;
  update_loading_text: (done: number, all: number) => void;
  display_cells: () => void;
  voila_finish: () => void;
  themeLoaded?: boolean;
  cellLoaded?: boolean;
}

// What the site's scripts get from others: of Pyodide and of the build in the worker, of other scripts on a page.
declare function loadPyodide(how: object): Promise<any>;
declare function createPyodideModule(settings: object): Promise<any>;
declare const LOCK: object;
declare const SNAPSHOT: number[];
declare const ELSEWHERE: string;
declare const VERSION: string;
declare const FILES: string[];
declare function coursekit_lesson(told: object): void;
declare function coursekit_editor(parent: Element, how: object): { put: (words: string) => void };
declare var coursekit_files:
  | undefined
  | { address: (name: string) => string; bytes: (name: string) => Uint8Array<ArrayBuffer> };
declare var coursekit_widgets: Record<
  string,
  { render: (how: { model: object; el: HTMLElement }) => unknown }
>;
declare var coursekit_page: any;
