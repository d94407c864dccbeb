import type { LogoShape } from '#contract/shapes/image-structs.ts'
import { escapeHtml } from '../http/escape-html.ts'
import type { BuiltClient } from '../http/pages/built-client.ts'

/**
 * The details of a studio on its landing page. The page's JSON block contains the same, for the first render in the
 * browser.
 */
export type LandingStudio = {
  readonly slug: string
  readonly name: string
  readonly logo: string | null
  readonly logoShape: LogoShape | null
  readonly accent: string | null
  readonly phone: string | null
  readonly email: string | null
}

/** Serializes JSON for a script element, so that it can neither end the element nor begin a comment. */
const scriptJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

const withJson = (html: string, landing: { studio: LandingStudio | null; ownHost: boolean }): string =>
  html.replace('id="landing">null<', () => `id="landing">${scriptJson(landing)}<`)

const withAccent = (html: string, properties: Readonly<Record<string, string>>): string => {
  const style = Object.entries(properties).map(([name, value]) => `${name}:${value}`)
  return style.length > 0 ? html.replace('<html ', () => `<html style="${escapeHtml(style.join(';'))}" `) : html
}

/** Replaces the marks in one pass, so that a name that looks like a mark is not replaced. */
const withValues = (html: string, markers: BuiltClient['markers'], studio: LandingStudio): string => {
  const { slug, name, logo, logoShape } = studio
  const values = new Map([
    [markers.name, name],
    [markers.slug, slug],
    [markers.logo, logo ?? ''],
    [markers.logoWidth, String(logoShape?.width)],
    [markers.logoHeight, String(logoShape?.height)],
    [markers.initial, name.slice(0, 1).toWellFormed()],
  ])
  // Longest first, because the mark of the initial is a prefix of the mark of the name.
  const marks = [...values.keys()].sort((a, b) => b.length - a.length)
  return html.replace(new RegExp(marks.join('|'), 'g'), (mark) => escapeHtml(values.get(mark) ?? ''))
}

/** The home page; the same for every visitor. */
export const fillHome = ({ templates }: BuiltClient): string =>
  withJson(templates.home, { studio: null, ownHost: false })

const chooseTemplate = ({ logoShape }: LandingStudio): keyof BuiltClient['templates'] => {
  if (!logoShape) return 'studio'
  return logoShape.wordmark ? 'studioWithWordmark' : 'studioWithLogo'
}

/** Fills the page of a studio with escaped values. */
export const fillStudio = (client: BuiltClient, studio: LandingStudio, ownHost: boolean): string => {
  const filled = withValues(client.templates[chooseTemplate(studio)], client.markers, studio)
  return withAccent(withJson(filled, { studio, ownHost }), client.accentProperties(studio.accent))
}
