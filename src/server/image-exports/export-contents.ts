import papaparse from 'papaparse'
import { customFieldValue, type ExportValues, exportValues } from '#domain/image-exports/export-fields.ts'
import type { ExportSettings } from '#domain/image-exports/export-settings.ts'
import type { ZipEntry } from '../file-responses/zip-stream.ts'
import { exportFileKey } from '../images/store/image-file-keys.ts'
import type { ExportedFile, ExportKey } from './exported-files.ts'

/** What the index of an export describes, besides its files. */
export type ExportDescription = {
  readonly studio: string
  readonly school: string
  readonly job: string
  readonly settings: ExportSettings
  readonly madeAt: Date
  /** The day of `madeAt` in the studio's time zone, as YYYY-MM-DD. */
  readonly madeOn: string
}

type Column = { readonly heading: string; readonly readValue: (file: ExportedFile, values: ExportValues) => string }

const column = (heading: string, name: keyof ExportValues): Column => ({
  heading,
  readValue: (_, values) => values[name],
})
const fileColumn = (heading: string): Column => ({ heading, readValue: ({ fileName }) => fileName })

const extraColumns = ({ extraFields }: ExportSettings): Column[] =>
  extraFields.map((name) => ({ heading: name, readValue: ({ subject }) => customFieldValue(subject, name) }))

/** Values are on one line and without quotes, because not every reader of tab-separated files unquotes them. */
const oneLine = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .replaceAll('"', "'")
    .trim()

/** A table as text. Formulas are escaped, so that the data of families stays text in a spreadsheet. */
const tableText = (
  files: readonly ExportedFile[],
  { settings, columns, delimiter }: { settings: ExportSettings; columns: readonly Column[]; delimiter: ',' | '\t' },
): string => {
  const rows = files.map((file) => {
    const values = exportValues(file.subject, settings.fields)
    return columns.map(({ readValue }) => oneLine(readValue(file, values)))
  })
  const table = [columns.map(({ heading }) => oneLine(heading)), ...rows]
  return `${papaparse.unparse(table, { delimiter, newline: '\r\n', escapeFormulae: true })}\r\n`
}

const imageFolder = 'IMAGES'

/** The columns of publishers' guidelines, in their order. */
const pspaColumns = (settings: ExportSettings): Column[] => [
  { heading: 'Volume Name', readValue: ({ volume }) => volume },
  { heading: 'Image Folder', readValue: () => imageFolder },
  fileColumn('Image File Name'),
  column('Grade', 'grade'),
  column('Last Name', 'lastName'),
  column('First Name', 'firstName'),
  column('Home Room', 'homeroom'),
  column('Period', 'period'),
  column('Teacher Name', 'teacher'),
  column('Track', 'track'),
  ...extraColumns(settings),
]

const dataColumns = (settings: ExportSettings): Column[] => [
  column('Student ID', 'studentId'),
  column('Last Name', 'lastName'),
  column('First Name', 'firstName'),
  column('Grade', 'grade'),
  column('Homeroom', 'homeroom'),
  column('Teacher', 'teacher'),
  ...extraColumns(settings),
]

const readmeText = ({ studio, school, job, settings, madeOn }: ExportDescription, files: number): string =>
  [
    `${school}: ${job}`,
    `Portraits by ${studio}`,
    '',
    `Volume: ${settings.volume}`,
    `Made: ${madeOn}`,
    `Images: ${files}, JPEG, ${settings.width} x ${settings.height} pixels, in ${imageFolder}`,
    '',
    'INDEX.TXT lists the images in this folder, one per person, separated by tabs (UTF-8).',
    'MASTER.TXT lists everyone: each retake replaces the image of an earlier volume.',
    '',
  ].join('\r\n')

type Texts = Readonly<Record<string, string>>

type FormatLayout = {
  /** The folder of the images, with a slash at the end, or empty. */
  readonly folder: (description: ExportDescription) => string
  /** The index and other texts by path. `files` are those of this export, `all` includes the earlier volumes. */
  readonly texts: (
    description: ExportDescription,
    files: readonly ExportedFile[],
    all: readonly ExportedFile[],
  ) => Texts
}

const layouts: Readonly<Record<ExportSettings['format'], FormatLayout>> = {
  pspa: {
    folder: ({ settings }) => `${settings.volume}/${imageFolder}/`,
    texts: (description, files, all) => {
      const { settings } = description
      const index = { settings, columns: pspaColumns(settings), delimiter: '\t' } as const
      return {
        [`${settings.volume}/INDEX.TXT`]: tableText(files, index),
        [`${settings.volume}/MASTER.TXT`]: tableText(all, index),
        [`${settings.volume}/README.TXT`]: readmeText(description, files.length),
      }
    },
  },
  zip: {
    folder: () => 'images/',
    texts: ({ settings }, files) => {
      const columns = [fileColumn('Image'), ...dataColumns(settings)]
      return { 'images.csv': tableText(files, { settings, columns, delimiter: ',' }) }
    },
  },
  'id-photos': {
    folder: () => '',
    texts: ({ settings }, files) => {
      const columns = [...dataColumns(settings), fileColumn('Image')]
      return { 'cards.csv': tableText(files, { settings, columns, delimiter: ',' }) }
    },
  },
  administration: {
    folder: () => '',
    texts: ({ settings }, files) => {
      const columns = [...dataColumns(settings), fileColumn('Image')]
      const pairs = [column('Student_Number', 'studentId'), fileColumn('File_Name')]
      return {
        'students.csv': tableText(files, { settings, columns, delimiter: ',' }),
        'photos.txt': tableText(files, { settings, columns: pairs, delimiter: '\t' }),
      }
    },
  },
}

/** The files of an export and its index by path. `all`: the files of the export and of the earlier ones that it adds to. */
export const exportContents = (
  key: ExportKey,
  description: ExportDescription,
  all: readonly ExportedFile[],
): ZipEntry[] => {
  const { madeAt, settings } = description
  const { folder, texts } = layouts[settings.format]
  const files = all.filter(({ exportId }) => exportId === key.exportId)
  const images = files.map(
    ({ fileName, subjectId, bytes: size }): ZipEntry => ({
      name: `${folder(description)}${fileName}`,
      key: exportFileKey(key, subjectId),
      size,
      madeAt,
    }),
  )
  const tables = Object.entries(texts(description, files, all)).map(([name, text]): ZipEntry => {
    const content = Buffer.from(text)
    return { name, content, size: content.length, madeAt }
  })
  return [...tables, ...images]
}
