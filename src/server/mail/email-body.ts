import { escapeHtml } from '../http/markup.ts'

/** Removes line breaks from a value for an email header, where a line break would begin another header. */
export const singleLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** A paragraph of an email: text, or a link. */
export type Paragraph = string | { readonly link: string }

const toText = (paragraph: Paragraph): string => (typeof paragraph === 'string' ? paragraph : paragraph.link)

const toHtml = (paragraph: Paragraph): string => {
  if (typeof paragraph === 'string') return `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`
  const link = escapeHtml(paragraph.link)
  return `<p><a href="${link}">${link}</a></p>`
}

/** Builds the text and HTML bodies of an email of plain paragraphs. */
export const emailBodies = (paragraphs: readonly Paragraph[]): { text: string; html: string } => ({
  text: paragraphs.map(toText).join('\n\n'),
  html: ['<!doctype html><html lang="en"><body>', ...paragraphs.map(toHtml), '</body></html>'].join('\n'),
})
