import { createRenderer, type RenderVariants } from './render-variants.ts'

export { printHere } from '../print/print-here.ts'
export { keyHere } from './chroma-key.ts'
export { composeHere } from './compose-image.ts'

/** A thread's request and response. Only `render-threads.ts` names this file. */
export type RenderRequest = { readonly original: Uint8Array; readonly markName: string }

const render: RenderVariants = createRenderer()

/** Renders one image in this thread. */
export const renderHere = ({ original, markName }: RenderRequest): ReturnType<RenderVariants> =>
  render(original, markName)
