import { createRenderer, type RenderVariants } from './render-variants.ts'

export { printHere } from '../print/print-here.ts'
export { keyHere } from './chroma-key.ts'
export { composeHere } from './compose-image.ts'

/** What a thread is asked, and what it answers. Its file is named by `render-threads.ts` alone. */
export type RenderRequest = { readonly original: Uint8Array; readonly markName: string }

const render: RenderVariants = createRenderer()

/** One picture in a thread of its own. */
export const renderHere = ({ original, markName }: RenderRequest): ReturnType<RenderVariants> =>
  render(original, markName)
