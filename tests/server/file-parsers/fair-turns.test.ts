import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { startParserThreads } from '#server/file-parsers/file-parsers.ts'
import { enginesFor, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { addFeature, jpegAt } from '../discovery/job-fixtures.ts'
import { createStudioFixtures, formWith } from '../studio/studio-fixtures.ts'

const slowFiles = 10

/** About a second of work for the thread. */
const slowList = (): Buffer =>
  Buffer.from(`First name,Last name\n${`Ada,Lovelace${',"a, field"'.repeat(30)}\n`.repeat(40_000)}`)
const slowPicture = (): Promise<Buffer> =>
  sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: '#864' } })
    .png()
    .toBuffer()

describe.each(enginesFor(import.meta.filename))(
  'files of several studios, on $name',
  { timeout: 120_000 },
  (engine) => {
    const database = freshDatabase(engine)
    const threads = startParserThreads(silentLog)
    afterAll(threads.stop)

    /** Two studios whose files are parsed by the product's threads. */
    const openStudios = async () => {
      const deps = testDeps(database(), { fileParsers: threads })
      const app = await testApp(deps)
      const open = async (slug: string) => {
        const office = await createStudioFixtures(deps, app, slug)
        await addFeature(deps, office.studioId, 'dataImport')
        const jobId = await office.addJob(null)
        const sendList = (bytes: Uint8Array) =>
          office.ask('POST', `/jobs/${jobId}/imports`, formWith('File', { name: 'list.csv', bytes }))
        const sendLogo = (bytes: Uint8Array) =>
          office.ask('PUT', '/logo', formWith('File', { name: 'logo.png', bytes }))
        return { sendList, sendLogo }
      }
      return [await open('riverside'), await open('summit')] as const
    }
    type Studio = Awaited<ReturnType<typeof openStudios>>[number]
    const sendList = ({ sendList: send }: Studio, bytes: Uint8Array) => send(bytes)
    const sendLogo = ({ sendLogo: send }: Studio, bytes: Uint8Array) => send(bytes)

    it.each([
      ['lists', sendList, async () => ({ slow: slowList(), quick: Buffer.from('First,Last\nAda,Lovelace') })],
      ['pictures', sendLogo, async () => ({ slow: await slowPicture(), quick: await jpegAt(1) })],
    ])(
      `files are parsed in turns: ${slowFiles} slow %s of one studio delay another studio by one`,
      async (_, send, make) => {
        const [one, other] = await openStudios()
        const { slow, quick } = await make()
        const answered: { studio: string; status: number; errors?: string[] }[] = []
        const note = async (studio: string, sending: Promise<{ status: number; errors?: string[] }>) => {
          const { status, errors } = await sending
          answered.push({ studio, status, ...(errors && { errors }) })
        }
        const slowOnes = Array.from({ length: slowFiles }, () => note('one', send(one, slow)))
        await Promise.race(slowOnes)
        await note('other', send(other, quick))
        const taken = answered.filter(({ status }) => status === 200).map(({ studio }) => studio)
        expect(taken.lastIndexOf('other')).toBe(taken.length - 1)
        expect(taken.filter((studio) => studio === 'one').length).toBeLessThanOrEqual(2)
        await Promise.all(slowOnes)
        const refused = answered.filter(({ status }) => status !== 200)
        expect(refused.map(({ studio, status }) => ({ studio, status }))).toEqual(
          refused.map(() => ({ studio: 'one', status: 429 })),
        )
        expect(refused).not.toHaveLength(0)
        expect(refused.flatMap(({ errors = [] }) => errors).every((error) => /in a minute/.test(error))).toBe(true)
      },
    )
  },
)
