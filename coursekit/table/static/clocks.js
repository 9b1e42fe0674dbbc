// Seconds: what runs down until it presses itself, and the moments of a race, for which the kernel is asked.

const SECOND = 1000; // milliseconds
const SLACK = 0.1; // seconds by which a clock may be early
const TOLD = [60, 30, 10]; // seconds left of a time limit that are said aloud

function clockOf(left) {
  const whole = Math.max(0, Math.ceil(left));
  return whole < 60 ? String(whole) : clock(whole);
}

class Clocks {
  constructor(table) {
    this.table = table;
    this.kept = new Map(); // seconds left, by the key of what runs down
    this.running = []; // choices that run down in the scene that is shown
    this.tick = table.view.tick; // number of the moment of a race that comes next
    this.ticking = false; // it was asked for
    this.waited = 0; // seconds since the last one
    this.arrived = Date.now(); // when the newest view came, whose seconds a hosted match counts by
  }

  /** Seconds left until `choice` presses itself; several people who still write have as many times as long together. */
  left({ after, key, held }) {
    if (this.table.view.hosted)
      return (this.table.view.left[key] ?? after) - (Date.now() - this.arrived) / SECOND;
    const left = this.kept.get(key) ?? recall("sessionStorage", this.table.matchKey(key));
    return left === null ? after * (held ? Math.max(1, this.table.view.waiting) : 1) : Number(left);
  }

  isHeld(choice) {
    return Boolean(choice.held) && this.left(choice) > 0;
  }

  count(scene) {
    this.seen(this.table.view);
    this.running = scene.zones
      .flatMap((zone) => zone.choices ?? [])
      .filter(({ after }) => after !== undefined);
    const { racing } = this.table.view;
    const counts =
      racing || this.running.length > 0 || this.table.livingThat((zone) => zone.counts).length > 0;
    if (counts && !this.counting) {
      this.since = Date.now();
      this.waited = 0;
      this.counting = setTimeout(() => this.second(), SECOND);
    } else if (!counts) this.stop();
  }

  /** A hosted match has its clock elsewhere: a view says how many seconds were left when it came. */
  seen(view) {
    if (view !== this.counted) this.arrived = Date.now();
    this.counted = view;
  }

  stop() {
    clearTimeout(this.counting);
    this.counting = null;
  }

  /** A second has gone by. No time runs down and no player gains a moment while the screen is covered or shows something else. */
  second() {
    const seconds = (Date.now() - this.since) / SECOND;
    this.since = Date.now();
    this.counting = setTimeout(() => this.second(), SECOND);
    const { living, form, view } = this.table;
    if (this.table.playing() || form || view.looking_back || view.covered.length || view.paused)
      return;
    if (view.racing && document.visibilityState !== "hidden") this.wait(seconds);
    living.forEach((zone) => zone.runDown(seconds));
    for (const choice of this.running) this.runDown(choice, seconds);
  }

  /** Ask for the next moment of a race if it is time, and the last one has been answered: a kernel may be busy for long. */
  wait(seconds) {
    this.waited += seconds;
    if (this.ticking || this.waited < this.table.view.racing - SLACK) return;
    this.waited = 0;
    this.ticking = true;
    try {
      this.table.send({ type: "tick", tick: this.tick });
    } catch {
      /* the kernel is gone; the next touch tells */
    }
  }

  /** A moment has gone by; if another view of this table has asked for it, the next one is as far away as from there. */
  ticked(tick) {
    if (tick !== this.tick && !this.ticking && this.counting)
      this.waited = (this.since - Date.now()) / SECOND;
    this.tick = tick;
    this.ticking = false;
  }

  runDown(choice, seconds) {
    const before = this.left(choice);
    const { hosted } = this.table.view,
      left = hosted ? before : before - seconds;
    this.kept.set(choice.key, left);
    if (!hosted) remember("sessionStorage", this.table.matchKey(choice.key), left);
    const clock = [...this.table.cloth.querySelectorAll("[data-clock]")].find(
      (button) => button.dataset.clock === choice.key,
    );
    clock?.replaceChildren(clockOf(left));
    if (choice.held && TOLD.some((told) => before > told && left <= told)) {
      this.table.live.replaceChildren(
        this.table.say("seconds_left").replace("{seconds}", Math.round(left)),
      );
    }
    if (left <= 0 && clock && !this.table.view.hosted)
      this.table.act(choice, clock.closest("button"));
  }
}
