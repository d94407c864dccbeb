// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest'
import { draftOf, withDraft } from '#client/customer/packages/customiser/customise-draft.ts'
import { customise } from '#client/customer/packages/customiser/customise-reducer.ts'
import { groupSteps, stepsOf } from '#client/customer/packages/customiser/customise-steps.ts'
import { contentOf, type Part, previewOf, startPart } from '#client/customer/packages/customiser/customised-package.ts'
import { factsOf } from '#client/customer/packages/images/node-images.ts'
import {
  type Background,
  backgroundFactsOf,
  isBackgroundPlace,
  partsTogether,
} from '#client/customer/packages/images/package-backgrounds.ts'
import { isOnWhite } from '#domain/cart/line-background.ts'
import { contentOfItem, drawnItems } from '#ui/print/print-content.ts'
import { ada, family, image, landscape, situation, team } from '../package-examples.ts'

const field: Background = {
  id: 9,
  imageId: 901,
  name: 'Field',
  width: 3000,
  height: 2400,
  thumbnailUrl: '/photos/g/901/thumb-a',
  previewUrl: '/photos/g/901/preview-a',
}
const cutOut = image(501, { hasAlpha: true })
const images = [cutOut, landscape, team]
const facts = [...factsOf(images), ...backgroundFactsOf([field])]
const start = (): Part => startPart(family, situation({ images }))
const [standing] = customise([start()], { do: 'stand', part: 0, greenScreenId: 9 }) as [Part] // one goes in, one comes out

describe('a background', () => {
  test('goes to the cart with its package, and stands behind every cut-out of it, and behind nothing else', () => {
    expect(contentOf(standing).greenScreenBackgroundId).toBe(9)
    const line = previewOf(standing, ada, facts)
    const behind = drawnItems(line).map(({ content }) => [...content.pictures.values()].map((one) => one.background))
    const drawn = { url: field.thumbnailUrl }
    expect(behind).toEqual([[drawn], [drawn], [drawn], [null]])
    expect(isOnWhite(line)).toBe(false)
  })

  test('is drawn from its larger picture where there is one, the smaller standing in for it', () => {
    const [first] = family.items
    if (!first) throw new Error('the package is empty')
    const urls = new Map([[field.imageId, field.previewUrl]])
    const content = contentOfItem(previewOf(standing, ada, facts), first, urls)
    expect(content.pictures.get(411)?.background).toEqual({ url: field.previewUrl, standIn: field.thumbnailUrl })
  })

  test('comes along in what its line is made from, and only while it is chosen', () => {
    const kept = (part: Part) => previewOf(part, ada, facts).snapshot.images.map((one) => one.imageId)
    expect(kept(standing)).toEqual([501, 601, 901])
    const [without] = customise([standing], { do: 'stand', part: 0, greenScreenId: null }) as [Part] // one goes in
    expect(kept(without)).toEqual([501, 601])
  })

  test('is part of a draft, none too; a draft of before there were any leaves what was chosen', () => {
    const chosenIn = (kept: unknown) => withDraft([standing], kept, { images: images })[0]?.kept.greenScreenBackgroundId
    const draft = draftOf([standing])
    expect(withDraft([start()], structuredClone(draft), { images: images })).toEqual([standing])
    expect(chosenIn(draftOf([start()]))).toBeNull()
    const older = { ...draft, parts: draft.parts.map(({ greenScreenId: _, ...part }) => part) }
    expect(chosenIn(older)).toBe(9)
  })
})

describe('a cut-out that nothing stands behind', () => {
  test('is on white', () => expect(isOnWhite(previewOf(start(), ada, facts))).toBe(true))
  test('is said of cut-outs only', () => {
    const opaque = startPart(family, situation({ images: [landscape, team] }))
    expect(isOnWhite(previewOf(opaque, ada, facts))).toBe(false)
  })
})

describe('where it is chosen', () => {
  const placesIn = (parts: Part[]) => {
    const steps = stepsOf(parts, { orderMethod: 'gallery', importedData: true, subject: ada })
    const groups = groupSteps(steps, { parts, apart: new Set() })
    const stood = (part: number) => parts[part]?.kept.greenScreenBackgroundId !== null
    return { groups, places: groups.map((group) => isBackgroundPlace(group, { groups, parts, images, stood })) }
  }

  test('once for a package, at its first cut-out', () => {
    const { places } = placesIn([start()])
    expect(places.filter(Boolean)).toHaveLength(1)
    expect(places[0]).toBe(true)
    const swapped = {
      ...start(),
      images: start().images.map((one) => (one.packageItemImageNodeId === 411 ? { ...one, subjectImageId: 502 } : one)),
    }
    expect(placesIn([swapped]).places.slice(0, 2)).toEqual([false, true])
  })

  test('nowhere without cut-outs', () => {
    const parts = [startPart(family, situation({ images: [landscape, team] }))]
    expect(placesIn(parts).places).not.toContain(true)
  })

  test('at the first item of a package that stands on one without a cut-out', () => {
    const without = startPart(family, situation({ images: [landscape, team] }))
    const [left] = customise([without], { do: 'stand', part: 0, greenScreenId: 9 }) as [Part] // one goes in, one comes out
    expect(placesIn([left]).places.indexOf(true)).toBe(0)
  })

  test('once for packages whose alike prints are done in one, and they stand on it together', () => {
    const other = { ...family, id: 50, items: family.items.slice(1) }
    const { groups, places } = placesIn([start(), startPart(other, situation({ images }))])
    expect(places.filter(Boolean)).toHaveLength(1)
    expect(partsTogether(1, groups)).toEqual(expect.arrayContaining([0, 1]))
  })

  test('by each of two packages that begin on different ones, alike as they are', () => {
    const other = { ...family, id: 50 }
    const { groups, places } = placesIn([standing, startPart(other, situation({ images }))])
    expect(places.filter(Boolean)).toHaveLength(2)
    expect(partsTogether(1, groups)).toEqual([1])
  })
})
