import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'
import type * as fontkit from 'fontkit'
import { composeText, stripInvisible } from '#domain/printing/printable-letters.ts'

const require = createRequire(import.meta.url)

const openFont = ({ create }: typeof fontkit, path: string) => {
  const bytes = readFileSync(path)
  const font = create(bytes)
  if ('fonts' in font) throw new Error(`${path} has several fonts`)
  const canShow = (character: string) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)
  return { bytes, canShow }
}

/** Loads the libraries and the fonts on first use, because they would slow down each start of the server. */
const loadLibraries = async () => {
  const [{ default: PDFDocument }, fontReader] = await Promise.all([import('pdfkit'), import('fontkit')])
  const fonts = {
    regular: openFont(
      fontReader,
      require.resolve('@expo-google-fonts/source-serif-4/400Regular/SourceSerif4_400Regular.ttf'),
    ),
    strong: openFont(
      fontReader,
      require.resolve('@expo-google-fonts/source-serif-4/600SemiBold/SourceSerif4_600SemiBold.ttf'),
    ),
  }
  return { PDFDocument, fonts }
}

type Libraries = Awaited<ReturnType<typeof loadLibraries>>

let libraries: Promise<Libraries> | undefined

/** Shown in place of a letter that the fonts lack. */
export const missingLetterSign = '☐'

const segmenter = new Intl.Segmenter('en')

/** A text on one line as the fonts can show it. Each letter that they lack becomes one sign. */
const toShownText = (text: string, { regular, strong }: Libraries['fonts']): string => {
  const canShow = (character: string) => regular.canShow(character) && strong.canShow(character)
  // An emoji of several characters is one letter while its invisible joiners are in it.
  const letters = Array.from(segmenter.segment(composeText(text)), ({ segment }) => stripInvisible(segment))
  return letters
    .map((letter) => ([...letter].every(canShow) ? letter : missingLetterSign))
    .join('')
    .trim()
}

// In points, a 72nd of an inch, on Letter paper.
const [pageWidth, pageHeight] = [612, 792]
const margin = 54
const contentWidth = pageWidth - 2 * margin
const columnGap = 24
const amountWidth = 90
const footerDistance = 36
const rowGap = 4
const [footerSize, textSize, titleSize] = [8, 10, 15]

/** `footer` is on every page, before the page number. `createdAt`: the same content always produces the same bytes. */
type PdfInfo = { readonly title: string; readonly footer: string; readonly createdAt: Date }

/** Lines of text below a title. Empty lines are left out. */
export type PdfBlock = { readonly title: string; readonly lines: readonly string[] }

/** A label, which wraps, and an amount at the right margin. */
export type PdfRow = { readonly label: string; readonly amount?: string; readonly isStrong?: boolean }

/** A PDF document of text, on as many Letter pages as it needs. */
export class Pdf {
  readonly #document: PDFKit.PDFDocument
  readonly #show: (text: string) => string
  readonly #footer: string

  private constructor({ PDFDocument, fonts }: Libraries, info: PdfInfo) {
    this.#show = (text) => toShownText(text, fonts)
    this.#footer = this.#show(info.footer)
    this.#document = new PDFDocument({
      ...{ size: [pageWidth, pageHeight], margin, bufferPages: true, displayTitle: true, lang: 'en-US' },
      info: { Title: info.title, CreationDate: info.createdAt },
    })
    // Not the opened fonts: they remember glyphs without their letters, and the text could not be searched or copied.
    for (const [name, { bytes }] of Object.entries(fonts)) this.#document.registerFont(name, bytes)
  }

  static async start(info: PdfInfo): Promise<Pdf> {
    libraries ??= loadLibraries()
    return new Pdf(await libraries, info)
  }

  #withFont(name: 'regular' | 'strong', size = textSize): PDFKit.PDFDocument {
    return this.#document.font(name).fontSize(size)
  }

  /** Starts a new page if content of this height does not fit below. */
  #breakBefore(height: number): void {
    if (this.#document.y + height > pageHeight - margin) this.#document.addPage()
  }

  #moveTo(y: number): void {
    this.#document.x = margin
    this.#document.y = y
  }

  /** Writes blocks next to each other. */
  writeColumns(blocks: readonly PdfBlock[], { isHeading = false }: { isHeading?: boolean } = {}): void {
    const width = (contentWidth - columnGap * (blocks.length - 1)) / blocks.length
    const blockTitleSize = isHeading ? titleSize : textSize
    const columns = blocks.map(({ title, lines }) => {
      const [shownTitle, body] = [this.#show(title), lines.map(this.#show).filter(Boolean).join('\n')]
      const titleHeight = this.#withFont('strong', blockTitleSize).heightOfString(shownTitle, { width })
      return {
        title: shownTitle,
        body,
        height: titleHeight + this.#withFont('regular').heightOfString(body, { width }),
      }
    })
    const height = Math.max(...columns.map((column) => column.height))
    this.#breakBefore(height)
    const top = this.#document.y
    for (const [index, { title, body }] of columns.entries()) {
      this.#withFont('strong', blockTitleSize).text(title, margin + index * (width + columnGap), top, { width })
      this.#withFont('regular').text(body, { width })
    }
    this.#moveTo(top + height + textSize)
  }

  /** Writes a row, all of it on one page. */
  writeRow({ label, amount = '', isStrong = false }: PdfRow): void {
    const text = this.#show(label)
    const width = contentWidth - amountWidth
    const document = this.#withFont(isStrong ? 'strong' : 'regular')
    this.#breakBefore(document.heightOfString(text, { width }))
    const top = document.y
    document.text(text, margin, top, { width })
    const bottom = document.y
    document.text(amount, margin + width, top, { width: amountWidth, align: 'right' })
    this.#moveTo(bottom + rowGap)
  }

  drawLine(): void {
    this.#breakBefore(2 * rowGap)
    const y = this.#document.y + rowGap
    this.#document
      .lineWidth(0.5)
      .moveTo(margin, y)
      .lineTo(pageWidth - margin, y)
      .stroke()
    this.#moveTo(y + 2 * rowGap)
  }

  /** Ends the document with its page numbers. Returns its bytes. */
  async finish(): Promise<Buffer> {
    const { count } = this.#document.bufferedPageRange()
    for (let index = 0; index < count; index++) {
      this.#document.switchToPage(index)
      // The footer is below the area of the content.
      this.#document.page.margins.bottom = 0
      const text = `${this.#footer} · Page ${index + 1} of ${count}`
      const options = { width: contentWidth, align: 'center' } as const
      this.#withFont('regular', footerSize).text(text, margin, pageHeight - footerDistance, options)
    }
    this.#document.end()
    return await buffer(this.#document)
  }
}
