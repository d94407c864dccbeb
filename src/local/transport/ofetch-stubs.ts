const notBundled = (): never => {
  throw new Error('not in the build')
}

/**
 * Replaces two dependencies of ofetch: `ufo`, which adds a base URL or a query to a URL, and `destr`, which parses
 * JSON. `http-client.ts` needs neither.
 */
// biome-ignore lint/style/noDefaultExport: ofetch imports the default export of destr
export { notBundled as withBase, notBundled as withQuery, notBundled as default }
