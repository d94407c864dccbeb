import { fileURLToPath } from 'node:url'

/** The repository root, with a trailing slash. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Where the built client is. */
export const dist = `${root}dist`

/** Written last: a build without it was interrupted. */
export const buildMark = `${dist}/build.json`
