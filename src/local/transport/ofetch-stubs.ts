const notBundled = (): never => {
  throw new Error('This part of ofetch is not in the build')
}

/** In place of two packages behind ofetch that put addresses together and guess what a text means: `api.ts` needs neither. */
// biome-ignore lint/style/noDefaultExport: ofetch imports the second package so
export { notBundled as withBase, notBundled as withQuery, notBundled as default }
