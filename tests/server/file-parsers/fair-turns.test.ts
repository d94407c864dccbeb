import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { startParserThreads } from '#server/file-parsers/file-parsers.ts'
import { enginesFor, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { jpegAt } from '../discovery/job-fixtures.ts'
import { createStudioFixtures, formWith } from '../studio/studio-fixtures.ts'

const slowFiles = 10

/** A list that takes a thread about a second. */
const slowList = (): Buffer =>
  Buffer.from(`First name,Last name\n${`Ada,Lovelace${',"a, field"'.repeat(30)}\n`.repeat(40_000)}`)
const slowImage = (): Promise<Buffer> =>
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
    const createStudios = async () => {
      const deps = testDeps(database(), { fileParsers: threads })
      const app = await testApp(deps)
      const createStudio = async (slug: string) => {
        const studioFixtures = await createStudioFixtures(deps, app, slug)
        await given(deps).feature(studioFixtures.studioId, 'dataImport')
        const jobId = await studioFixtures.addJob(null)
        const sendList = (bytes: Uint8Array) =>
          studioFixtures.request('POST', `/jobs/${jobId}/imports`, formWith('File', { name: 'list.csv', bytes }))
        const sendLogo = (bytes: Uint8Array) =>
          studioFixtures.request('PUT', '/logo', formWith('File', { name: 'logo.png', bytes }))
        return { sendList, sendLogo }
      }
      return [await createStudio('riverside'), await createStudio('summit')] as const
    }
    type Studio = Awaited<ReturnType<typeof createStudios>>[number]
    const sendList = ({ sendList: send }: Studio, bytes: Uint8Array) => send(bytes)
    const sendLogo = ({ sendLogo: send }: Studio, bytes: Uint8Array) => send(bytes)

    it.each([
      ['lists', sendList, async () => ({ slow: slowList(), quick: Buffer.from('First,Last\nAda,Lovelace') })],
      ['images', sendLogo, async () => ({ slow: await slowImage(), quick: await jpegAt(1) })],
    ])(
      `studios take turns: ${slowFiles} slow %s of one studio delay another studio by one file`,
      async (_, send, make) => {
        const [firstStudio, secondStudio] = await createStudios()
        const { slow, quick } = await make()
        const answers: { studio: string; status: number; errors?: string[] }[] = []
        const recordAnswer = async (studio: string, request: Promise<{ status: number; errors?: string[] }>) => {
          const { status, errors } = await request
          answers.push({ studio, status, ...(errors && { errors }) })
        }
        const slowRequests = Array.from({ length: slowFiles }, () => recordAnswer('first', send(firstStudio, slow)))
        await Promise.race(slowRequests)
        await recordAnswer('second', send(secondStudio, quick))
        const acceptedBy = answers.filter(({ status }) => status === 200).map(({ studio }) => studio)
        expect(acceptedBy.lastIndexOf('second')).toBe(acceptedBy.length - 1)
        expect(acceptedBy.filter((studio) => studio === 'first').length).toBeLessThanOrEqual(2)
        await Promise.all(slowRequests)
        const refused = answers.filter(({ status }) => status !== 200)
        expect(refused.map(({ studio, status }) => ({ studio, status }))).toEqual(
          refused.map(() => ({ studio: 'first', status: 429 })),
        )
        expect(refused).not.toHaveLength(0)
        expect(refused.flatMap(({ errors = [] }) => errors).every((error) => /in a minute/.test(error))).toBe(true)
      },
    )
  },
)
