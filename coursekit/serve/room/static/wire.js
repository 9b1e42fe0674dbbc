// The connection of a page: it mends itself, and what has not been answered is sent again.

const SIGN = 2000; // milliseconds between two signs of life
const SILENCE = 4200; // milliseconds without one after which the connection counts as lost
const LOOK = 500; // milliseconds between two looks at that: a loss is told within five seconds
const SOONEST = 200,
  LATEST = 2000; // milliseconds until the next try

export class Wire {
  /** @param {{ url: string, hear: (message: any) => void, begin: () => void, lost: (is: boolean) => void, touched?: () => boolean }} given */
  constructor({ url, hear, begin, lost, touched }) {
    this.url = url;
    this.hear = hear;
    this.begin = begin;
    this.lost = lost;
    this.touched = touched;
    this.open();
    this.timers = [setInterval(() => this.sign(), SIGN), setInterval(() => this.check(), LOOK)];
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && this.check(),
    );
    addEventListener("online", () => this.check());
  }

  open() {
    clearTimeout(this.again);
    this.heard = Date.now();
    const socket = (this.socket = new WebSocket(this.url));
    socket.onopen = () => {
      if (this.socket !== socket) return;
      this.heard = Date.now();
      this.lost(false);
      this.begin();
    };
    socket.onmessage = ({ data }) => {
      if (this.socket !== socket) return;
      this.heard = Date.now();
      this.hear(JSON.parse(data));
    };
    socket.onclose = () => this.socket === socket && this.retry();
  }

  retry() {
    this.socket = null;
    if (this.ended) return;
    this.lost(true);
    clearTimeout(this.again);
    this.again = setTimeout(() => this.open(), SOONEST + Math.random() * (LATEST - SOONEST));
  }

  sign() {
    if (this.socket?.readyState === WebSocket.OPEN)
      this.send({ type: "ping", touched: this.touched?.() ?? false });
  }

  /** A connection that gives no sign is given up: the network may have gone without a word. */
  check() {
    if (!this.socket || Date.now() - this.heard < SILENCE) return;
    const { socket } = this;
    this.socket = null;
    socket.onclose = null;
    socket.close();
    this.retry();
  }

  /** Send a message; returns whether there was a connection. */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  end() {
    this.ended = true;
    for (const timer of this.timers) clearInterval(timer);
    clearTimeout(this.again);
    this.socket?.close();
  }
}
