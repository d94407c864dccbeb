import { fileURLToPath } from 'node:url'

/** The repository root, with a trailing slash. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The folder of the built client. */
export const dist = `${root}dist`

/** The file that is written last. A build without it was interrupted. */
export const buildMark = `${dist}/build.json`
