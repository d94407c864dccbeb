const notBundled = (): never => {
  throw new Error('This part of ofetch is not in the build')
}

/**
 * Replaces two packages that ofetch uses to build URLs and to guess the type of a text: `http-client.ts` needs neither.
 */
// biome-ignore lint/style/noDefaultExport: ofetch imports the default export of the second package
export { notBundled as withBase, notBundled as withQuery, notBundled as default }
