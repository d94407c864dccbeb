import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeQR } from 'qr'

const [width, height, dot] = [640, 480, 8] as const

/** The luminance plane of a sheet with a QR code in its middle. */
const drawCard = (text: string): Uint8Array => {
  const code = encodeQR(text, 'raw', { border: 4 })
  const sheet = new Uint8Array(width * height).fill(235)
  const left = Math.floor((width - code.length * dot) / 2)
  const top = Math.floor((height - code.length * dot) / 2)
  for (let y = 0; y < code.length * dot; y += 1)
    for (let x = 0; x < code.length * dot; x += 1)
      if (code[Math.floor(y / dot)]?.[Math.floor(x / dot)]) sheet[(top + y) * width + left + x] = 16
  return sheet
}

/** Writes a video that Chromium plays as its camera: one blank frame, then frames of a camera card. Returns its path. */
export const fakeCameraVideo = (text: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), 'fieldproof-card-')), 'card.y4m')
  const blank = new Uint8Array(width * height).fill(235)
  const grey = new Uint8Array((width * height) / 2).fill(128)
  const frames = [blank, ...Array.from({ length: 9 }, () => drawCard(text))]
  const parts = frames.flatMap((frame) => [Buffer.from('FRAME\n'), frame, grey])
  writeFileSync(file, Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`), ...parts]))
  return file
}
