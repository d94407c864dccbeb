import { describe, expect, it } from 'vitest'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { signToken } from '#support/server/sign-token.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'

const makeStudios = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    slug: `studio-${index}`,
    name: `Studio ${String(index).padStart(3, '0')}`,
  }))

describe.each(enginesFor(import.meta.filename))("the platform's studios on $name", (engine) => {
  const database = freshDatabase(engine)

  const setUp = async (count: number) => {
    const deps = testDeps(database())
    await deps.db.insertInto('studios').values(makeStudios(count)).execute()
    const app = await testApp(deps)
    const user = { email: 'a@x.test', name: 'Ada', role: 'administrator' as const, studio_id: null }
    const { id } = await deps.db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
    const administrator = {
      id,
      name: 'Ada',
      email: 'a@x.test',
      permissions: ['studio.admin.crud'] as const,
      studioId: null,
    }
    const { token } = await signToken(deps, { ...administrator, permissions: [...administrator.permissions] })
    const headers = { authorization: `Bearer ${token}` }
    return async (query: Record<string, string>) => {
      const answer = await app.inject({ url: '/api/admin/studios', query, headers })
      return answer.json().data
    }
  }

  it.each([50, 51, 101])('%i studios in pages of fifty are listed without duplicates or gaps', async (count) => {
    const request = await setUp(count)
    const names: string[] = []
    for (let currentPage = 1; names.length < count; currentPage += 1) {
      const page = await request({ currentPage: String(currentPage), sort: '-name' })
      expect(page).toMatchObject({ currentPage, pageSize: 50, totalRecords: count })
      expect(page.resultItems.length).toBe(Math.min(50, count - names.length))
      names.push(...page.resultItems.map(({ name }: { name: string }) => name))
    }
    expect(names).toEqual(
      makeStudios(count)
        .map(({ name }) => name)
        .toReversed(),
    )
  })

  it('studios are found by part of the name or slug, with wildcards escaped', async () => {
    const request = await setUp(12)
    expect((await request({ filter: 'dio-11' })).resultItems).toMatchObject([{ slug: 'studio-11', jobCount: 0 }])
    expect((await request({ filter: '%' })).totalRecords).toBe(0)
    expect((await request({ filter: '_tudio' })).totalRecords).toBe(0)
  })

  it('all studios are listed if no page is requested', async () => {
    const request = await setUp(60)
    expect(await request({})).toHaveLength(60)
  })
})
