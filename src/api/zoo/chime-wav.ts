// Generates a one-second WAV file, to try media formats.

const RATE = 8000
const NOTES = [523.25, 659.25, 783.99] as const
const LOUD = 9000

export function makeChimeWav(): Uint8Array {
  const samples = Buffer.alloc(RATE * 2)
  for (let at = 0; at < RATE; at++) {
    const seconds = at / RATE
    const note = NOTES[Math.floor(seconds * NOTES.length)] ?? NOTES[0]
    const within = seconds % (1 / NOTES.length)
    samples.writeInt16LE(Math.round(LOUD * Math.exp(-6 * within) * Math.sin(2 * Math.PI * note * seconds)), at * 2)
  }
  return Buffer.concat([header(samples.length), samples])
}

function header(bytes: number): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + bytes, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(RATE, 24)
  head.writeUInt32LE(RATE * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(bytes, 40)
  return head
}
