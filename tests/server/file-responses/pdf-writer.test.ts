import { describe, expect, it } from 'vitest'
import { missingLetterSign, Pdf } from '#server/file-responses/pdf-writer.ts'
import { readPdf } from '#support/files/read-pdf.ts'

const createdAt = new Date('2027-04-15T10:00:00.000Z')

const startPdf = () => Pdf.start({ title: 'Receipt', footer: 'Receipt', createdAt })

const writeRows = async (labels: readonly string[]) => {
  const pdf = await startPdf()
  for (const label of labels) pdf.writeRow({ label, amount: '$1.00' })
  return await pdf.finish()
}

const signs = (count: number) => missingLetterSign.repeat(count)

describe('the PDF writer', () => {
  it('names with diacritics, Cyrillic and Greek letters and ligatures are read back as they are', async () => {
    const names = ['Żółć Nguyễn', 'Ælfgård Þórðarson', 'Ğülşen Țîțu', 'Оксана Шевченко', 'Ελένη', 'Griffin Fflint']
    const { pages, title, creationDate } = await readPdf(await writeRows(names))
    expect(pages).toEqual([`${names.map((name) => `${name} $1.00`).join(' ')} Receipt · Page 1 of 1`])
    expect(title).toBe('Receipt')
    expect(creationDate).toContain('20270415100000')
  })

  it.each([
    ['李小龙', signs(3)],
    ['Zoë 😀!', `Zoë ${signs(1)}!`],
    ['A family: 👨‍👩‍👧‍👦', `A family: ${signs(1)}`],
    ['محمد', signs(4)],
    ['Ada\u202e\u200b\u0000\tLove\nlace', 'Ada Love lace'],
    ['e\u0301', 'é'],
    [')Tj ET <<>> \\', ')Tj ET <<>> \\'],
  ])('each letter of %j that the fonts lack becomes one visible sign', async (name, expected) => {
    const { pages } = await readPdf(await writeRows([name]))
    expect(pages).toEqual([`${expected} $1.00 Receipt · Page 1 of 1`])
  })

  it('many rows flow over pages with page numbers, each row on one page', async () => {
    const labels = Array.from(
      { length: 120 },
      (_, index) => `Row ${index}: ${'Wolfeschlegelsteinhausen '.repeat(6)}end`,
    )
    const { pages } = await readPdf(await writeRows(labels))
    expect(pages.length).toBeGreaterThan(3)
    const rows = pages.flatMap((page, index) => {
      const footer = ` Receipt · Page ${index + 1} of ${pages.length}`
      expect(page.endsWith(footer)).toBe(true)
      return page.slice(0, -footer.length).split(/(?<=\$1\.00) /)
    })
    expect(rows).toEqual(labels.map((label) => `${label} $1.00`))
  })

  it('a word longer than a line and a row longer than a page wrap', async () => {
    const labels = ['x'.repeat(300), 'long '.repeat(1_500).trim()]
    const { pages } = await readPdf(await writeRows(labels))
    const letters = pages.join('').replace(/Receipt · Page \d of \d|\$1\.00|\s/g, '')
    expect(letters).toBe(labels.join('').replaceAll(' ', ''))
  })

  it('blocks next to each other do not cover what follows', async () => {
    const pdf = await startPdf()
    pdf.writeColumns([
      { title: 'Left', lines: ['one', '', 'two'] },
      { title: 'Right', lines: [] },
    ])
    pdf.drawLine()
    pdf.writeRow({ label: 'After', isStrong: true })
    expect((await readPdf(await pdf.finish())).pages).toEqual(['Left one two Right After Receipt · Page 1 of 1'])
  })

  it('the same content has the same bytes', async () => {
    const labels = ['Ada Lovelace', 'Zoë', '李']
    expect(await writeRows(labels)).toEqual(await writeRows(labels))
  })
})
