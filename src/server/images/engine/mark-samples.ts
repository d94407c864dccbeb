import { openPixels, openSvg, pixelsOf } from './image-engine.ts'
import { applyWatermark, drawWatermark, type Mark, PREVIEW_SIDE } from './watermark.ts'

const width = PREVIEW_SIDE
const height = PREVIEW_SIDE * 0.8
const shownWidth = 640

const colours = {
  light: { wall: '#f6f4ef', floor: '#e3ded4', skin: '#f0d3bd', hair: '#cfa878', clothes: '#ffffff' },
  dark: { wall: '#1d2329', floor: '#12161a', skin: '#6b4632', hair: '#15100d', clothes: '#27313c' },
} as const
type Sample = keyof typeof colours

/** A portrait, drawn so that no photo of a child is needed. */
const drawPortrait = ({ wall, floor, skin, hair, clothes }: (typeof colours)[Sample]): string => `
  <svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 1280 1024">
    <defs><radialGradient id="wall"><stop offset="0" stop-color="${wall}"/><stop offset="1" stop-color="${floor}"/></radialGradient></defs>
    <rect width="1280" height="1024" fill="url(#wall)"/>
    <path d="M300 1024C320 760 480 700 640 700s320 60 340 324Z" fill="${clothes}"/>
    <path d="M440 460C420 220 520 130 640 130s220 90 200 330c-10 130-390 130-400 0Z" fill="${hair}"/>
    <path d="M570 600h140v130c-20 60-120 60-140 0Z" fill="${skin}"/>
    <ellipse cx="640" cy="460" rx="160" ry="200" fill="${skin}"/>
  </svg>`

/** A light and a dark photo with a watermark, as previews show it, as WebP. */
export const drawMarkSamples = async (mark: Mark): Promise<Record<Sample, Buffer>> => {
  const watermark = await drawWatermark(mark)
  const draw = async (sample: Sample): Promise<Buffer> => {
    const photo = await pixelsOf(openSvg(drawPortrait(colours[sample])))
    const marked = await applyWatermark(photo, watermark)
    return await openPixels(marked).resize(shownWidth).webp({ quality: 80 }).toBuffer()
  }
  return { light: await draw('light'), dark: await draw('dark') }
}
