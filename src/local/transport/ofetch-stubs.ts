const spared = (): never => {
  throw new Error('This part of ofetch is not in the build')
}

/** In place of two packages behind ofetch that put addresses together and guess what a text means: `api.ts` needs neither. */
// biome-ignore lint/style/noDefaultExport: ofetch imports the second package so
export { spared as withBase, spared as withQuery, spared as default }
