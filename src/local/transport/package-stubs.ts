const notBundled = (): never => {
  throw new Error('not in the build')
}

/**
 * Replaces dependencies of packages for features that the client does not use: of ofetch `ufo`, which adds a base URL or
 * a query to a URL, and `destr`, which parses JSON (`http-client.ts` needs neither); of wouter `regexparam`, which parses
 * the patterns of its routes (`match-route.ts` has its own).
 */
// biome-ignore lint/style/noDefaultExport: ofetch imports the default export of destr
export { notBundled as withBase, notBundled as withQuery, notBundled as parse, notBundled as default }
