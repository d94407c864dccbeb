import { type PrintFile, type PrintJob, renderPrint } from './print-file.ts'
import { printGlyphs } from './print-glyphs.ts'

/** Prints one item, wherever there is room to. */
export type RenderPrint = (job: PrintJob) => Promise<PrintFile>

/** One print, in the thread that asks. */
export const printHere: RenderPrint = (job) => renderPrint(job, printGlyphs())
