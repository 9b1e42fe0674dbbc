// Sounds of our own making, tiny and few, off until somebody turns them on in the menu.

/** By name, the tones of a sound: hertz, and seconds from its beginning to theirs; 0 hertz is a rustle. */
const TONES = {
  card: [[0, 0]],
  die: [
    [0, 0],
    [0, 0.11],
    [0, 0.2],
  ],
  turn: [[523, 0]],
  trick: [
    [587, 0],
    [784, 0.07],
  ],
  hit: [
    [659, 0],
    [880, 0.09],
  ],
  end: [
    [523, 0],
    [659, 0.12],
    [784, 0.24],
  ],
};
const SOBER = ["card", "turn"]; // what is heard where no winner is crowned
const LONG = { tone: 0.28, rustle: 0.05 }; // seconds until a tone or rustle has died away
const SOUND_KEY = "coursekit:sound";

class Sounds {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.context = /** @type {AudioContext | null} */ (null); // made with the first sound
    this.on = !table.view.board && recall("localStorage", SOUND_KEY) === "on";
  }

  get control() {
    const onchange = (event) => {
      this.on = event.target.checked;
      remember("localStorage", SOUND_KEY, this.on ? "on" : "off");
      this.play("turn");
    };
    return tickBox(this.table.say("sound"), this.on, "sound", onchange, "ck-sound");
  }

  /** Let the sound `name` be heard, unless nobody is there to hear it. */
  play(name) {
    if (
      !this.on ||
      document.visibilityState === "hidden" ||
      (this.table.sober && !SOBER.includes(name))
    )
      return;
    try {
      this.context ??= new AudioContext();
      if (this.context.state === "suspended") this.context.resume(); // a browser waits for the first touch of the page
      TONES[name].forEach(([hertz, after]) =>
        hertz ? this.tone(hertz, after) : this.rustle(after),
      );
    } catch {
      /* the table works without */
    }
  }

  tone(hertz, after) {
    const source = new OscillatorNode(this.context, { type: "triangle", frequency: hertz });
    this.heard(source, 0.12, after, LONG.tone);
  }

  rustle(after) {
    const { sampleRate } = this.context;
    const noise = new AudioBuffer({ length: Math.ceil(sampleRate * LONG.rustle), sampleRate });
    noise.getChannelData(0).forEach((_, at, all) => {
      all[at] = Math.random() * 2 - 1;
    });
    this.heard(new AudioBufferSourceNode(this.context, { buffer: noise }), 0.1, after, LONG.rustle);
  }

  heard(source, loud, after, long) {
    const from = this.context.currentTime + after;
    const volume = new GainNode(this.context, { gain: 0 });
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(loud, from + 0.008);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + long);
    source
      .connect(new BiquadFilterNode(this.context, { type: "lowpass", frequency: 2200 }))
      .connect(volume)
      .connect(this.context.destination);
    source.start(from);
    source.stop(from + long);
  }

  dispose() {
    this.context?.close();
  }
}
