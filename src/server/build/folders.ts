import { fileURLToPath } from 'node:url'

/** The house's own folder. */
export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Where the built client lies. */
export const dist = `${root}dist`

/** Written last: a build without it was cut off. */
export const buildMark = `${dist}/build.json`
