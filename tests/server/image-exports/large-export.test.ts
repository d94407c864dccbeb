import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { defaultFieldSources } from '#domain/image-exports/export-fields.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testSeed } from '#support/seed.ts'
import { cameraExif, createExportFixtures, tabRows } from './export-fixtures.ts'
import { exportSettings, settingsFor } from './export-settings.ts'

const isLong = process.env.LONG === '1'
const subjectCount = isLong ? 2000 : 36

/** Names as no file system stores them; PostgreSQL stores no NUL character. */
const hostileText = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
    fc.constantFrom(
      'CON',
      'nul.',
      '../../etc',
      'a\tb',
      'a\r\nb',
      '=1+1',
      '"Bo"',
      'Zoë',
      'ZOE',
      '李',
      'x'.repeat(300),
      '  ',
    ),
  )
  .map((text) => text.replaceAll('\0', ''))

describe.each(enginesFor(import.meta.filename))(
  'a large export on $name',
  { timeout: isLong ? 900_000 : 60_000 },
  (engine) => {
    const database = freshDatabase(engine)

    it(`of ${subjectCount} subjects with hostile names has safe file names, and its index and its files agree`, async () => {
      const { addSubject, exported } = await createExportFixtures(database())
      const people = fc.sample(fc.record({ first: hostileText, last: hostileText, id: hostileText }), {
        seed: testSeed,
        numRuns: subjectCount,
      })
      for (const [index, { first, last, id }] of people.entries())
        await addSubject({
          ...{ name: `${first.replaceAll(' ', '_')} ${last}`, reference: String(index) },
          fields: { 'Student Number': id, Grade: last },
        })
      const fields = defaultFieldSources({ fieldNames: ['Student Number', 'Grade'], hasReferences: false })
      const settings = { ...exportSettings, fields, namePattern: '{lastName}-{firstName}' }
      const yearBook = (await exported(settings)).files
      const idPhotos = (await exported(settingsFor('administration', { fields }))).files
      const indexes = [
        {
          files: yearBook,
          folder: 'LINCOLN/IMAGES/',
          rows: tabRows(yearBook.get('LINCOLN/INDEX.TXT')),
          column: 'Image File Name',
        },
        { files: idPhotos, folder: '', rows: tabRows(idPhotos.get('photos.txt')), column: 'File_Name' },
      ]
      for (const { files, folder, rows, column } of indexes) {
        const listed = rows.map((row) => `${folder}${row[column]}`)
        const images = [...files.keys()].filter((name) => name.endsWith('.jpg'))
        expect(listed.toSorted()).toEqual(images.toSorted())
        expect(new Set(images.map((name) => name.toLowerCase())).size).toBe(images.length)
        for (const name of images) {
          expect(name.slice(folder.length)).toMatch(
            /^(?!(con|prn|aux|nul|com\d|lpt\d)\.)[A-Za-z0-9_][A-Za-z0-9_-]{0,79}\.jpg$/i,
          )
          const { exif, iptc, xmp } = await sharp(files.get(name)).metadata()
          expect([exif, iptc, xmp]).toEqual([undefined, undefined, undefined])
          expect(files.get(name)?.includes(cameraExif.IFD0.ImageDescription)).toBe(false)
        }
      }
      expect(indexes[0]?.rows).toHaveLength(subjectCount)
      // Subjects whose id is blank are left out of the other.
      expect(indexes[1]?.rows).toHaveLength(people.filter(({ id }) => id.trim() !== '').length)
    })
  },
)
