import { type PrintFile, type PrintJob, renderPrint } from './print-file.ts'
import { printGlyphs } from './print-glyphs.ts'

/** Prints one item, in this thread or another. */
export type RenderPrint = (job: PrintJob) => Promise<PrintFile>

/** Prints in the calling thread. */
export const printHere: RenderPrint = (job) => renderPrint(job, printGlyphs())
