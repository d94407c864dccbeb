import { createRenderer, type RenderVariants } from './render-variants.ts'
import type { Mark } from './watermark.ts'

export { cropImage } from '../print/crop-image.ts'
export { printItem } from '../print/print-file.ts'
export { cutOutSubject } from './chroma-key.ts'
export { composeImage } from './compose-image.ts'

/** The request to a rendering thread. Only `render-threads.ts` loads this file. */
export type RenderRequest = { readonly original: Uint8Array; readonly mark: Mark }

const render: RenderVariants = createRenderer()

/** Renders one image in this thread. */
export const renderInThread = ({ original, mark }: RenderRequest): ReturnType<RenderVariants> => render(original, mark)
