import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { cutOutSubject } from '#server/images/engine/chroma-key.ts'

const side = 400

/** A subject in front of a screen: hair of many thin lines, skin with reflected green, a shirt. */
const drawSubject = (screen: string, extraSvg = '') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}">
    <defs><radialGradient id="light"><stop offset="0" stop-color="#fff" stop-opacity="0.25"/><stop offset="1" stop-color="#000" stop-opacity="0.35"/></radialGradient></defs>
    ${screen}
    <g stroke="#402810" stroke-width="1.5">${Array.from({ length: 40 }, (_, n) => `<line x1="${140 + n * 3}" y1="150" x2="${100 + n * 5}" y2="60"/>`).join('')}</g>
    <circle cx="200" cy="180" r="70" fill="#c89678"/><rect x="135" y="170" width="14" height="40" fill="#a8b478"/>
    <path d="M90 400 Q200 200 310 400Z" fill="#334a9c"/>${extraSvg}</svg>`)

const evenGreen = '<rect width="100%" height="100%" fill="#20b840"/>'
const unevenGreen = `${evenGreen}<rect width="100%" height="100%" fill="url(#light)"/>`
const photo = (drawing: Buffer, orientation = 1) =>
  sharp(drawing).flatten().withMetadata({ orientation }).jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toBuffer()

const cutOut = async (image: Buffer) => {
  const result = await cutOutSubject(image)
  if (!result) throw new Error('no screen was found')
  const { data, info } = await sharp(result.webp).raw().toBuffer({ resolveWithObject: true })
  const pixelAt = (x: number, y: number) => {
    const offset = (y * info.width + x) * info.channels
    const [red = 0, green = 0, blue = 0, alpha = 255] = data.subarray(offset, offset + 4)
    return { red, green, blue, alpha }
  }
  return { result, pixelAt, data, info }
}

describe.each([
  ['an even screen', evenGreen],
  ['a screen in uneven light', unevenGreen],
  ['a dark screen', '<rect width="100%" height="100%" fill="#0c5a1e"/>'],
  ['a pale screen', '<rect width="100%" height="100%" fill="#7ae07a"/>'],
])('cutting out a subject in front of %s', (_, screen) => {
  test('the subject is cut out completely and without any of the screen', async () => {
    const { pixelAt, info } = await cutOut(await photo(drawSubject(screen)))
    expect([info.width, info.height, info.channels]).toEqual([side, side, 4])
    for (const [x, y] of [
      [5, 5],
      [395, 5],
      [5, 395],
      [30, 200],
      [370, 300],
      [60, 60],
    ] as const) {
      expect([x, y, pixelAt(x, y).alpha]).toEqual([x, y, 0])
    }
    for (const [x, y] of [
      [200, 180],
      [230, 210],
      [200, 380],
      [200, 300],
    ] as const) {
      expect([x, y, pixelAt(x, y).alpha]).toEqual([x, y, 255])
    }
    const skin = pixelAt(200, 180)
    expect(Math.abs(skin.red - 200)).toBeLessThan(14)
    expect(Math.abs(skin.blue - 120)).toBeLessThan(14)
  })

  test('no part of the subject is green, and its hair is not cut away', async () => {
    const { data, info } = await cutOut(await photo(drawSubject(screen)))
    let hair = 0
    let greenest = 0
    for (let offset = 0; offset < data.length; offset += info.channels) {
      const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(offset, offset + 4)
      if (alpha < 24) continue
      greenest = Math.max(greenest, green - Math.max(red, blue))
      if (Math.floor(offset / 4 / info.width) < 105) hair += 1
    }
    expect(greenest).toBeLessThan(24)
    expect(hair).toBeGreaterThan(500)
  })
})

describe('an image without a green screen', () => {
  test.each([
    ['a studio’s grey', '<rect width="100%" height="100%" fill="#99a"/>'],
    ['a blue sky', '<rect width="100%" height="100%" fill="#59d"/>'],
    [
      'a lawn below a sky',
      '<rect width="100%" height="100%" fill="#9cf"/><rect y="320" width="100%" height="80" fill="#3a3"/>',
    ],
    ['a dark background', '<rect width="100%" height="100%" fill="#0a0e0a"/>'],
  ])('a subject in front of %s is not cut out', async (_, screen) =>
    expect(await cutOutSubject(await photo(drawSubject(screen)))).toBeNull(),
  )
})

test('green light on skin is reduced to the colours of skin', async () => {
  const { pixelAt } = await cutOut(await photo(drawSubject(evenGreen)))
  const litSkin = pixelAt(142, 190)
  expect(litSkin.alpha).toBeGreaterThan(200)
  expect(litSkin.green).toBeLessThanOrEqual(Math.max(litSkin.red, litSkin.blue) + 6)
})

test('a rotated image is cut out upright', async () => {
  const rotated = await sharp(await photo(drawSubject(evenGreen)))
    .extract({ left: 0, top: 0, width: side, height: 300 })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const result = await cutOutSubject(rotated)
  expect([result?.width, result?.height]).toEqual([300, side])
})
