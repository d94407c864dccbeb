import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mapConcurrently } from '#server/map-concurrently.ts'

/** Work that finishes on request, and the order in which it started. */
const controlledWork = () => {
  const begun: number[] = []
  const ends = new Map<number, PromiseWithResolvers<string>>()
  const work = (item: number): Promise<string> => {
    begun.push(item)
    const end = Promise.withResolvers<string>()
    ends.set(item, end)
    return end.promise
  }
  const end = async (item: number) => {
    ends.get(item)?.resolve(`made ${item}`)
    await turn()
  }
  const fail = async (item: number) => {
    ends.get(item)?.reject(new Error(`no ${item}`))
    await turn()
  }
  return { begun, work, end, fail }
}

test('mapConcurrently limits the work in flight and returns the results in order', async () => {
  const { begun, work, end } = controlledWork()
  const all = mapConcurrently([1, 2, 3], 2, work)
  expect(begun).toEqual([1, 2])
  await end(2)
  expect(begun).toEqual([1, 2, 3])
  await end(3)
  await end(1)
  expect(await all).toEqual(['made 1', 'made 2', 'made 3'])
})

test('mapConcurrently starts no more work after a failure and waits for what is in flight', async () => {
  const { begun, work, end, fail } = controlledWork()
  let over = false
  const all = mapConcurrently([1, 2, 3], 2, work).finally(() => {
    over = true
  })
  const rejection = expect(all).rejects.toThrow('no 1')
  await fail(1)
  expect([begun, over]).toEqual([[1, 2], false])
  await end(2)
  await rejection
  expect(begun).toEqual([1, 2])
})

test('mapConcurrently throws the first of two failures', async () => {
  const { work, fail } = controlledWork()
  const rejection = expect(mapConcurrently([1, 2], 2, work)).rejects.toThrow('no 2')
  await fail(2)
  await fail(1)
  await rejection
})

test('mapConcurrently of an empty list returns an empty list', async () => {
  expect(await mapConcurrently([], 2, controlledWork().work)).toEqual([])
})
