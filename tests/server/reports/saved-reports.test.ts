import { describe, expect, it } from 'vitest'
import type { SavedReportDraft } from '#domain/studio/saved-report.ts'
import { enqueueReportEmails, sendReportEmail } from '#server/reports/send-reports.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { grantSupportAccess } from '#support/server/grant-support-access.ts'
import { staffClient } from '#support/server/staff-client.ts'
import { manualClock, recordingQueue, testApp, testDeps } from '#support/server/test-app.ts'

const draft: SavedReportDraft = { name: 'Monday', choices: { report: 'taxes', filter: 'grace' }, schedule: null }
const ownerPermissions = ['studio.crud', 'studio.users.crud', 'studio.financials.read'] as const
const hour = 3_600_000

describe.each(enginesFor(import.meta.filename))('saved reports on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    // A Wednesday.
    const time = manualClock('2027-04-14T16:00:00Z')
    const queue = recordingQueue()
    const deps = testDeps(database(), { clock: time.clock, jobs: queue })
    const app = await testApp(deps)
    const studioId = await given(deps).studio({ time_zone: 'America/Chicago', name: 'Riverside Portraits' })
    await given(deps).feature(studioId, 'reports')
    const asUser = (name: string) =>
      staffClient(deps, app, studioId, {
        permissions: ownerPermissions,
        user: { name, email: `${name.toLowerCase()}@riverside.test` },
      })
    const [rosa, max] = [await asUser('Rosa'), await asUser('Max')]
    const save = (change: Partial<SavedReportDraft> = {}) =>
      rosa.staffRequest('POST', 'saved-reports', { ...draft, ...change })
    const enqueue = () => enqueueReportEmails(deps)
    const send = async () => {
      for (const { name, payload } of queue.jobs.splice(0))
        if (name === 'send-report-email') await sendReportEmail(deps, payload)
    }
    /** Runs the background jobs of an hour, and what they enqueue. */
    const runJobs = async () => {
      await enqueue()
      await send()
    }
    const emails = () =>
      deps.db.selectFrom('mail_log').select(['to_email', 'subject', 'body_text']).orderBy('id').execute()
    return { deps, app, time, studioId, rosa, max, save, enqueue, send, runJobs, emails }
  }

  it('a report is saved under a name, listed for all who see the money, changed and deleted', async () => {
    const { rosa, max, save } = await setUp()
    const { data: saved } = await save({ name: ' Monday ' })
    expect(saved).toEqual({ id: saved.id, ...draft, recipient: null, version: 1 })
    await save({ name: 'all taxes' })
    expect((await max.staffRequest('GET', 'saved-reports')).data.map(({ name }: SavedReportDraft) => name)).toEqual([
      'all taxes',
      'Monday',
    ])
    const path = `saved-reports/${saved.id}`
    const changed = await max.staffRequest('PUT', path, { ...draft, name: 'Sunday', version: 1 })
    expect(changed.data).toMatchObject({ name: 'Sunday', version: 2 })
    expect((await rosa.staffRequest('PUT', path, { ...draft, version: 1 })).status).toBe(409)
    expect((await rosa.staffRequest('DELETE', path)).status).toBe(200)
    expect((await rosa.staffRequest('GET', path)).status).toBe(404)
  })

  it('a saved report of another studio is not found', async () => {
    const { deps, app, save, rosa } = await setUp()
    const { data } = await save()
    const otherStudioId = await given(deps).studio({ slug: 'other' })
    await given(deps).feature(otherStudioId, 'reports')
    const { staffRequest } = await staffClient(deps, app, otherStudioId, {
      permissions: ownerPermissions,
      user: { email: 'owner@other.test' },
    })
    const path = `saved-reports/${data.id}`
    const statuses = [
      (await staffRequest('GET', path)).status,
      (await staffRequest('PUT', path, draft)).status,
      (await staffRequest('DELETE', path)).status,
    ]
    expect(statuses).toEqual([404, 404, 404])
    expect((await rosa.staffRequest('GET', path)).data).toEqual(data)
  })

  it.each<[string, Partial<SavedReportDraft>, Record<string, string[]>]>([
    ['without a name', { name: ' ' }, { name: ['This field is required'] }],
    ['with a taken name', { name: 'MONDAY' }, { name: ['There is already a saved report with this name'] }],
    [
      'without dates and with emails',
      { name: 'A', choices: { report: 'yearbook' }, schedule: 'weekly' },
      { schedule: ['This report has no dates, so it can’t be emailed'] },
    ],
  ])('a report %s is refused', async (_, change, fields) => {
    const { save } = await setUp()
    await save()
    expect(await save(change)).toMatchObject({ status: 422, fields })
  })

  it('the email about unfinished orders leads to those of all dates', async () => {
    const { time, save, runJobs, emails, studioId } = await setUp()
    const { data: saved } = await save({ choices: { report: 'unfinished' }, schedule: 'weekly' })
    time.advance(7 * 24 * hour)
    await runJobs()
    const [email] = await emails()
    expect(email).toMatchObject({ subject: 'Monday' })
    expect(email?.body_text).toContain(`/admin/studios/${studioId}/reports?report=unfinished&saved=${saved.id}`)
  })

  it('a weekly report is emailed once, on Sunday at six in the studio’s time zone, without its amounts', async () => {
    const { time, save, runJobs, emails, studioId } = await setUp()
    const { data: saved } = await save({ schedule: 'weekly' })
    await runJobs()
    // Sunday, 05:59 in Chicago.
    time.advance(4 * 24 * hour - 5 * hour - 60_000)
    await runJobs()
    expect(await emails()).toEqual([])
    time.advance(60_000)
    await runJobs()
    await runJobs()
    const [email, ...others] = await emails()
    expect(others).toEqual([])
    expect(email).toMatchObject({ to_email: 'rosa@riverside.test', subject: 'Monday: 04/11/2027 to 04/17/2027' })
    expect(email?.body_text).toContain(
      `https://fieldproof.test/admin/studios/${studioId}/reports?filter=grace&report=taxes&period=custom&from=2027-04-11&to=2027-04-17&saved=${saved.id}`,
    )
    expect(email?.body_text).not.toContain('$')
    time.advance(7 * 24 * hour)
    await runJobs()
    expect((await emails()).at(-1)?.subject).toBe('Monday: 04/18/2027 to 04/24/2027')
  })

  it('emails that were missed while the server was off are not sent one by one afterwards', async () => {
    const { time, save, runJobs, emails } = await setUp()
    await save({ schedule: 'weekly' })
    time.advance(30 * 24 * hour)
    await runJobs()
    await runJobs()
    expect((await emails()).map(({ subject }) => subject)).toEqual(['Monday: 05/02/2027 to 05/08/2027'])
  })

  it('a monthly report is about the month before', async () => {
    const { time, save, runJobs, emails } = await setUp()
    await save({ schedule: 'monthly' })
    time.advance(17 * 24 * hour)
    await runJobs()
    expect((await emails()).map(({ subject }) => subject)).toEqual(['Monday: 04/01/2027 to 04/30/2027'])
  })

  it('an administrator gets the emails only while they have access to the studio', async () => {
    const { deps, time, studioId, save, runJobs, emails } = await setUp()
    await save({ schedule: 'weekly' })
    await deps.db
      .updateTable('users')
      .set({ role: 'administrator', studio_id: null })
      .where('name', '=', 'Rosa')
      .execute()
    time.advance(7 * 24 * hour)
    await runJobs()
    expect(await emails()).toEqual([])
    await grantSupportAccess(deps, studioId)
    time.advance(7 * 24 * hour)
    await runJobs()
    expect((await emails()).map(({ to_email }) => to_email)).toEqual(['rosa@riverside.test'])
  })

  it('the user who chose the schedule gets the emails, also after others changed the rest', async () => {
    const { time, max, save, runJobs, emails } = await setUp()
    const { data } = await save({ schedule: 'weekly' })
    expect(data.recipient).toBe('Rosa')
    const path = `saved-reports/${data.id}`
    const renamed = await max.staffRequest('PUT', path, { ...draft, name: 'Sunday', schedule: 'weekly' })
    expect(renamed.data.recipient).toBe('Rosa')
    const monthly = await max.staffRequest('PUT', path, { ...draft, name: 'Sunday', schedule: 'monthly' })
    expect(monthly.data.recipient).toBe('Max')
    time.advance(5 * 24 * hour)
    await runJobs()
    expect(await emails()).toEqual([])
    time.advance(14 * 24 * hour)
    await runJobs()
    expect((await emails()).map(({ to_email }) => to_email)).toEqual(['max@riverside.test'])
  })

  it('emails go on to the next user who saves a report whose user was removed', async () => {
    const { deps, time, rosa, max, save, runJobs, emails } = await setUp()
    const { data } = await save({ schedule: 'weekly' })
    await deps.db.deleteFrom('users').where('id', '=', rosa.id).execute()
    const saved = await max.staffRequest('PUT', `saved-reports/${data.id}`, { ...draft, schedule: 'weekly' })
    expect(saved.data.recipient).toBe('Max')
    time.advance(5 * 24 * hour)
    await runJobs()
    expect((await emails()).map(({ to_email }) => to_email)).toEqual(['max@riverside.test'])
  })

  it('all reports that are due are emailed at once, also more than one batch', async () => {
    const { deps, studioId, rosa, runJobs, emails } = await setUp()
    const names = Array.from({ length: 201 }, (_, index) => `Report ${index}`)
    const due = { studio_id: studioId, choices: '{}', schedule: 'weekly', recipient_id: rosa.id } as const
    await deps.db
      .insertInto('saved_reports')
      .values(names.map((name) => ({ ...due, name, next_at: '2027-04-14T15:00:00Z' })))
      .execute()
    await runJobs()
    expect(await emails()).toHaveLength(201)
  })

  it.each(['the user', 'the role', 'the feature', 'the schedule', 'the report', 'the studio'] as const)(
    'no email is sent once %s is gone, also if it was due before',
    async (lost) => {
      const { deps, time, rosa, save, enqueue, send, emails } = await setUp()
      const { data } = await save({ schedule: 'weekly' })
      const path = `saved-reports/${data.id}`
      time.advance(5 * 24 * hour)
      await enqueue()
      if (lost === 'the user') await deps.db.deleteFrom('users').where('id', '=', rosa.id).execute()
      if (lost === 'the role') await deps.db.updateTable('users').set({ role: 'staff' }).execute()
      if (lost === 'the feature') await deps.db.deleteFrom('studio_features').execute()
      if (lost === 'the schedule') await rosa.staffRequest('PUT', path, draft)
      if (lost === 'the report') await rosa.staffRequest('DELETE', path)
      if (lost === 'the studio') await deps.db.updateTable('studios').set({ rspo_enabled: false }).execute()
      await send()
      expect(await emails()).toEqual([])
    },
  )
})
