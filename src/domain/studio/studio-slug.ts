import { spellingKey } from '../subjects/subject-search.ts'

/** First path segments of the product's own pages, and misleading words; no studio may use them (section 2, routes). */
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

const slugPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const maxSlugLength = 63

/**
 * Why a text cannot be a studio's slug; null if it can: lower-case letters and digits with single dashes between them,
 * at most 63, not only digits (that would read as a job's id), and not reserved.
 */
export const slugError = (text: string): string | null => {
  if (!slugPattern.test(text)) return 'Please use small letters, digits and single dashes between them'
  if (text.length > maxSlugLength) return `Please use at most ${maxSlugLength} characters`
  if (/^\d+$/.test(text)) return 'Please use at least one letter'
  return reserved.has(text) ? 'This address is used by a page of ours. Please choose another' : null
}

/** Whether a text can be a studio's slug. */
export const isSlug = (text: string): boolean => slugError(text) === null

/** The slug suggested for a studio's name; empty if no character of it can be used. */
export const slugFromName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxSlugLength)
    .replace(/^-|-$/g, '')

/** Letters that a search needs, so that it does not list every studio. */
const minLetters = 3

const betweenWords = /[^\p{L}\p{M}\p{N}'’]+/u

/**
 * The words of a typed studio's name as search keys: a studio is found if each begins a word of its name. Empty if there
 * are too few letters.
 */
export const studioSearchKeys = (text: string): string[] => {
  const words = text
    .split(betweenWords)
    .map(spellingKey)
    .filter((word) => word !== '')
  return [...words.join('')].length < minLetters ? [] : words
}
