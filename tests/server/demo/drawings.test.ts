import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { schoolCast, teamCast } from '#server/demo/drawings/cast.ts'
import { drawGroup } from '#server/demo/drawings/group.ts'
import { drawStudioLogo } from '#server/demo/drawings/logo.ts'
import { lookOf } from '#server/demo/drawings/look.ts'
import { drawBackground, drawCutOut, drawPortrait } from '#server/demo/drawings/portrait.ts'
import { type Backdrop, scenery } from '#server/demo/drawings/scenery.ts'
import { sittingOf } from '#server/demo/drawings/sitting.ts'
import { inspect } from '#server/images/inspection/inspect-image.ts'
import { meanDifference } from '../images/image-samples.ts'

const small = { width: 160, height: 200 }
const poses = ['straight', 'turned', 'three-quarter', 'arms-crossed', 'full-length'] as const
const brief = {
  seed: 'Somebody',
  style: 'school',
  pose: 'straight',
  orientation: 'portrait',
  backdrop: 'park',
} as const
const from = new Date('2027-04-16T09:00:00Z')

const upright = (bytes: Buffer) => sharp(bytes).autoOrient().png().toBuffer()

describe('portraits', () => {
  test('the same brief gives the same bytes, another person other ones', async () => {
    const one = await drawPortrait({ ...brief, size: small })
    expect((await drawPortrait({ ...brief, size: small })).equals(one)).toBe(true)
    expect((await drawPortrait({ ...brief, seed: 'Somebody else', size: small })).equals(one)).toBe(false)
  })

  test('large enough to print, in the shape asked for', async () => {
    expect(await inspect(await drawPortrait(brief))).toMatchObject({
      picture: { width: 1600, height: 2000, format: 'jpeg' },
    })
    const lying = await inspect(await drawPortrait({ ...brief, orientation: 'landscape' }))
    expect(lying).toMatchObject({ picture: { width: 2000, height: 1600 } })
  })

  test('stored as a camera held sideways stores it, it looks the same upright', async () => {
    const level = await drawPortrait({ ...brief, size: small })
    for (const orientation of [3, 6, 8] as const) {
      const held = await drawPortrait({ ...brief, size: small, camera: { orientation } })
      expect(await inspect(held)).toMatchObject({ picture: { ...small, orientation } })
      expect(await meanDifference(await upright(held), await upright(level))).toBeLessThan(3)
    }
  })

  test('carries the camera and the time of the picture', async () => {
    const bytes = await drawPortrait({
      ...brief,
      size: small,
      camera: { model: 'Nikon Z6', takenAt: new Date('2027-10-01T13:05:09Z') },
    })
    expect(await inspect(bytes)).toMatchObject({ picture: { takenAt: '2027-10-01T13:05:09' } })
    expect(bytes.includes('Nikon Z6')).toBe(true)
  })

  test('every pose draws somebody on every backdrop', async () => {
    const names = Object.keys(scenery) as Backdrop[] // the keys of a literal: exactly the type's
    expect(names.length).toBeGreaterThanOrEqual(10)
    for (const [n, backdrop] of names.entries()) {
      const pose = poses[n % poses.length] ?? 'straight'
      const empty = await drawBackground(backdrop, 'portrait', small)
      expect(
        await meanDifference(await drawPortrait({ ...brief, backdrop, pose, size: small }), empty),
      ).toBeGreaterThan(5)
    }
  })

  test('any seed draws, in either style', async () => {
    const anyBrief = fc.record({
      seed: fc.string(),
      style: fc.constantFrom('school', 'sport'),
      pose: fc.constantFrom(...poses),
    })
    await fc.assert(
      fc.asyncProperty(anyBrief, async (some) => {
        const bytes = await drawPortrait({ ...brief, ...some, size: { width: 80, height: 100 } })
        expect(await inspect(bytes)).toMatchObject({ ok: true })
      }),
      { numRuns: 40 },
    )
  })
})

describe('the demo’s people', () => {
  const cast = [...schoolCast, ...teamCast]

  test('at least 24, each with a name and a look of their own', () => {
    expect(cast.length).toBeGreaterThanOrEqual(24)
    expect(new Set(cast.map(({ firstName, lastName }) => `${firstName} ${lastName}`)).size).toBe(cast.length)
    expect(new Set(cast.map((member) => JSON.stringify(lookOf(member.seed, member)))).size).toBe(cast.length)
    expect(new Set(teamCast.map((member) => lookOf(member.seed, member).number)).size).toBe(teamCast.length)
    expect(schoolCast[0]).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' })
  })

  test('a sitting is two to five pictures, in order, the same each time', () => {
    const sittings = cast.map((member) => sittingOf(member, { from }))
    expect(cast.map((member) => sittingOf(member, { from }))).toEqual(sittings)
    for (const sitting of sittings) {
      expect(sitting.length).toBeGreaterThanOrEqual(2)
      expect(sitting.length).toBeLessThanOrEqual(5)
      expect(new Set(sitting.map(({ pose, backdrop }) => `${pose} ${backdrop}`)).size).toBe(sitting.length)
      const times = sitting.map(({ camera }) => camera?.takenAt?.getTime() ?? 0)
      expect(times).toEqual([...times].sort())
      expect(times[0]).toBe(from.getTime())
    }
    const shapes = new Set(sittings.flat().map(({ orientation, camera }) => `${orientation} ${camera?.orientation}`))
    expect([...shapes].sort()).toEqual(['landscape 1', 'landscape 3', 'portrait 1', 'portrait 6', 'portrait 8'])
  })
})

describe('cut-outs, groups and logos', () => {
  test('a cut-out is a person on nothing', async () => {
    const bytes = await drawCutOut({ ...brief, pose: 'full-length', size: small })
    expect(await inspect(bytes)).toMatchObject({ picture: { format: 'webp', hasAlpha: true, ...small } })
    const { data } = await sharp(bytes).extractChannel('alpha').raw().toBuffer({ resolveWithObject: true })
    expect([data[0], data[small.width - 1]]).toEqual([0, 0])
    const share = data.filter((alpha) => alpha > 128).length / data.length
    expect(share).toBeGreaterThan(0.1)
    expect(share).toBeLessThan(0.6)
  })

  test.each([1, 2, 5, 12, 13, 28])('a group of %i fits in its picture', async (count) => {
    const people = [...schoolCast, ...teamCast].slice(0, count)
    const size = { width: 500, height: 400 }
    const [photo, empty] = [
      await drawGroup({ people, backdrop: 'studio-grey', size }),
      await drawGroup({ people: [], backdrop: 'studio-grey', size }),
    ]
    expect(await inspect(photo)).toMatchObject({ picture: size })
    const edges = [
      { left: 0, top: 0, width: 500, height: 8 },
      { left: 0, top: 0, width: 6, height: 400 },
      { left: 494, top: 0, width: 6, height: 400 },
    ]
    for (const edge of edges) {
      const [drawn, bare] = [
        await sharp(photo).extract(edge).png().toBuffer(),
        await sharp(empty).extract(edge).png().toBuffer(),
      ]
      expect(await meanDifference(drawn, bare)).toBeLessThan(1)
    }
    expect(await meanDifference(photo, empty)).toBeGreaterThan(1)
  })

  test('a logo is an SVG that needs no font and takes no markup from the name', async () => {
    for (const name of ['Riverside Portraits', 'Summit Sports Photo', 'Bluebird', '<script>alert(1)</script>', '']) {
      const { svg, ...size } = drawStudioLogo(name, '#12707a')
      expect(svg).not.toMatch(/<text|<script/)
      const { width, height } = await sharp(Buffer.from(svg)).metadata()
      expect([width > height, { width, height }]).toEqual([true, size])
    }
    const [one, other] = ['Riverside Portraits', 'Summit Sports Photo'].map((name) => drawStudioLogo(name, '#12707a'))
    expect(one?.svg).not.toBe(other?.svg)
  })
})
