// What a widget's module sees of its other half on a page of our own: a room, or Python in a worker.

class PageModel {
  constructor(state, send) {
    this.state = state;
    this.send = send;
    this.listeners = new Map();
  }

  get(name) {
    return this.state[name];
  }

  on(event, listener) {
    if (!this.listeners.has(event)) this.listeners.set(event, new Set());
    this.listeners.get(event).add(listener);
  }

  off(event, listener) {
    if (listener) this.listeners.get(event)?.delete(listener);
    else this.listeners.delete(event);
  }

  emit(event, ...what) {
    for (const listener of [...(this.listeners.get(event) ?? [])]) listener(...what);
  }

  /** Take over what the other half has sent. */
  changed(state) {
    Object.assign(this.state, state);
    for (const name of Object.keys(state)) this.emit(`change:${name}`);
    this.emit("change");
  }
}
