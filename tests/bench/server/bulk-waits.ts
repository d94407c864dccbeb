import { setTimeout as wait } from 'node:timers/promises'
import type { Import, ImportDetails } from '#contract/studio/imports.ts'
import { quantile } from '#support/measurement/quantile.ts'
import { postJson, readData } from './bench-customer.ts'
import { startParents } from './parent-waits.ts'

/** How long bulk work took, and how long parents waited for their cart changes meanwhile, in milliseconds. */
export type BulkWaits = { name: string; durationMs: number; median: number; p99: number; max: number }

/** The number of subjects of a large school. */
const subjectCount = 5_000
const idsPerErasure = 500
const studioPath = '/api/studioadmin/studios/1'

const subjects = Array.from({ length: subjectCount }, (_, n) => ({
  firstName: `${['Ada', 'Ben', 'Chloé', 'Dora', 'Emil', 'Fen', 'Gus'][n % 7]}${n % 113}`,
  lastName: `${['Lovelace', 'Hopper', 'Nuñez', 'Okafor', 'Zander'][n % 5]}${n}`,
  reference: `S-${n}`,
  groups: [`Room ${n % 200}`],
  fields: [
    { name: 'Grade', value: String(n % 12) },
    { name: 'Teacher', value: `Teacher ${n % 200}` },
    { name: 'Bus', value: `B${n % 31}` },
  ],
}))

const list = [
  'Student ID,First name,Last name,Homeroom,Grade,Teacher,Bus,Access code',
  ...subjects.map(({ firstName, lastName, groups, fields }, n) =>
    [`L-${n}`, firstName, `${lastName}b`, ...groups, ...fields.map(({ value }) => value), `C${100_000 + n}`].join(','),
  ),
].join('\n')

type Staff = {
  get: <Data>(path: string) => Promise<Data>
  post: <Data>(path: string, body: object) => Promise<Data>
} & {
  upload: <Data>(path: string, text: string) => Promise<Data>
  remove: (path: string) => Promise<unknown>
}

const signInStaff = async (url: string): Promise<Staff> => {
  const credentials = { username: 'owner@riverside.test', password: 'fieldproof-demo' }
  const { token } = await readData<{ token: string }>(await postJson(`${url}/api/auth/login`, {}, credentials))
  const headers = { authorization: `Bearer ${token}` }
  const pathOf = (path: string): string => `${url}${studioPath}/${path}`
  return {
    get: async (path) => readData(await fetch(pathOf(path), { headers })),
    post: async (path, body) => readData(await postJson(pathOf(path), headers, body)),
    upload: async (path, text) => {
      const body = new FormData()
      body.set('File', new File([text], 'list.csv'))
      return readData(await fetch(pathOf(path), { method: 'POST', headers, body }))
    },
    remove: async (path) => readData(await fetch(pathOf(path), { method: 'DELETE', headers })),
  }
}

const waitForImport = async ({ get }: Staff, path: string, state: Import['state']): Promise<void> => {
  while ((await get<ImportDetails>(path)).state !== state) await wait(200)
}

/** Bulk work in the job whose parents change their carts, in the order in which it runs. */
const bulkWork = (staff: Staff): readonly { name: string; run: () => Promise<void> }[] => {
  let ids: number[] = []
  let list5000: ImportDetails | undefined
  const listPath = (): string => `jobs/1/imports/${list5000?.id}`
  let emptyJobId = 0
  const create = async (jobId: number): Promise<number[]> => {
    const path = `jobs/${jobId}/subjects/bulk?returnData=true`
    const created = await staff.post<{ subjects: { id: number }[] }>(path, { subjects, codes: 'new' })
    return created.subjects.map(({ id }) => id)
  }
  return [
    { name: 'nothing else', run: () => wait(5_000) },
    {
      name: '5,000 people are created',
      run: async () => {
        ids = await create(1)
      },
    },
    {
      name: '5,000 people are erased',
      run: async () => {
        for (let start = 0; start < ids.length; start += idsPerErasure) {
          const batch = ids.slice(start, start + idsPerErasure)
          await staff.post('jobs/1/subjects/erase', { ids: batch, typed: String(batch.length) })
        }
      },
    },
    {
      name: 'a list of 5,000 is sent and previewed',
      run: async () => {
        const sent = await staff.upload<ImportDetails>('jobs/1/imports', list)
        const request = { version: sent.version, uses: sent.uses, matchPolicy: 'update' }
        list5000 = await staff.post<ImportDetails>(`jobs/1/imports/${sent.id}/preview`, request)
      },
    },
    {
      name: 'the list is imported',
      run: async () => {
        await staff.post(`${listPath()}/run`, { version: list5000?.version })
        await waitForImport(staff, listPath(), 'done')
      },
    },
    {
      name: 'the import is undone',
      run: async () => {
        const { version } = await staff.get<ImportDetails>(listPath())
        await staff.post(`${listPath()}/undo`, { version })
        await waitForImport(staff, listPath(), 'undone')
      },
    },
    {
      name: 'a job of 5,000 is filled',
      run: async () => {
        emptyJobId = (
          await staff.post<{ id: number }>('jobs', {
            organizationId: 1,
            name: 'A large school',
            prepay: false,
            gallery: true,
          })
        ).id
        await create(emptyJobId)
      },
    },
    { name: 'a job of 5,000 is deleted', run: async () => void (await staff.remove(`jobs/${emptyJobId}`)) },
  ]
}

/** How long parents wait for their cart changes while staff create, delete and import 5,000 subjects. */
export const measureBulkWaits = async (url: string): Promise<BulkWaits[]> => {
  const staff = await signInStaff(url)
  const parents = await startParents(url)
  const allWaits: BulkWaits[] = []
  try {
    for (const { name, run } of bulkWork(staff)) {
      await parents.collect()
      const start = performance.now()
      await run()
      const durationMs = performance.now() - start
      const times = await parents.collect()
      const waits = { median: quantile(times, 0.5), p99: quantile(times, 0.99), max: Math.max(...times) }
      allWaits.push({ name, durationMs, ...waits })
    }
  } finally {
    await parents.stop()
  }
  return allWaits
}
