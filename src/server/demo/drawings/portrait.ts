import { chanceFrom } from './chance.ts'
import { figure } from './figure.ts'
import { group } from './ink.ts'
import { type Hints, lookOf, type Style } from './look.ts'
import { backdropBehind, type Camera, cutOut, type Drawing, photograph, type Size } from './paint.ts'
import { framingOf, type Orientation, type Pose, stanceOf } from './poses.ts'
import type { Backdrop } from './scenery.ts'

/** Who is drawn: the same seed, style and hints are the same child in every picture. */
export type Sitter = { seed: string; style: Style; hints?: Hints }

export type CutOutBrief = Sitter & { pose: Pose; orientation: Orientation; size?: Size }

export type PortraitBrief = CutOutBrief & { backdrop: Backdrop; camera?: Partial<Camera> }

/** The camera of the demo's photographer, held level. */
const CAMERA: Camera = { orientation: 1, model: 'Canon EOS R6', takenAt: new Date('2027-04-16T09:30:00Z') }

/** Large enough for a 5 × 7 print, small enough to draw a hundred at first start. */
const sizes: Readonly<Record<Orientation, Size>> = {
  portrait: { width: 1600, height: 2000 },
  landscape: { width: 2000, height: 1600 },
}

const views: Readonly<Record<Orientation, Size>> = {
  portrait: { width: 800, height: 1000 },
  landscape: { width: 1000, height: 800 },
}

const sizeOf = ({ size, orientation }: CutOutBrief): Size => size ?? sizes[orientation]

const drawSitter = ({ seed, style, hints, pose, orientation }: CutOutBrief): Drawing => {
  const look = lookOf(seed, { style, hints })
  const stance = stanceOf(pose, chanceFrom(`${seed} ${pose} ${orientation}`), style === 'sport')
  const { x, y, scale } = framingOf(pose, orientation, style === 'sport')
  const content = group(`translate(${x} ${y}) scale(${scale})`, figure('a', look, stance))
  return { content, view: views[orientation] }
}

/** A portrait as a camera's JPEG. The same brief gives the same bytes. */
export const drawPortrait = async (brief: PortraitBrief): Promise<Buffer> => {
  const { content, view } = drawSitter(brief)
  const backdrop = await backdropBehind(brief.backdrop, view)
  return photograph({ content: backdrop + content, view }, sizeOf(brief), { ...CAMERA, ...brief.camera })
}

/** The person alone, on nothing, as a WebP with alpha for green-screen backgrounds. */
export const drawCutOut = (brief: CutOutBrief): Promise<Buffer> => cutOut(drawSitter(brief), sizeOf(brief))

/** A background for cut-outs, as a JPEG. */
export const drawBackground = async (
  name: Backdrop,
  orientation: Orientation,
  size: Size = sizes[orientation],
): Promise<Buffer> => {
  const view = views[orientation]
  return photograph({ content: await backdropBehind(name, view), view }, size, CAMERA)
}
