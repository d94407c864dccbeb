/** First path segments of the product's own, and words that would mislead; no studio may be called so (section 2, routes). */
export const reservedSlugs = [
  'account',
  'admin',
  'api',
  'app',
  'assets',
  'builds',
  'code',
  'download',
  'fonts',
  'forgot-password',
  'health',
  'help',
  'home',
  'icons',
  'index',
  'kit',
  'login',
  'logout',
  'maintenance',
  'manifest',
  'metrics',
  'photos',
  'public',
  'reset-password',
  'search',
  'setup',
  'static',
  'studio',
  'support',
  'sw',
  'uploads',
  'webhooks',
  'workbox',
  'www',
] as const

const reserved: ReadonlySet<string> = new Set(reservedSlugs)

/**
 * Whether a text may be a studio's slug: lower-case letters, digits and inner dashes, at most 63, not a number alone (that would
 * read as a job's id), and not reserved.
 */
export const isSlug = (text: string): boolean =>
  /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(text) && !/^\d+$/.test(text) && !reserved.has(text)
