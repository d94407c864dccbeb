import { describe, expect, it } from 'vitest'
import type { Cart, CartPackage, CartTextNode } from '#domain/cart/cart.ts'
import type { LineContent } from '#domain/cart/mutation.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { imageNode, packageItem, textNode } from '../../../domain/cart/cart-fixtures.ts'
import { add, cartClient, createCartFixtures, customise, onePrint, statuses } from '../cart-fixtures.ts'

const say = (packageItemTextNodeId: number, value: string, autoFilled = false): LineContent['textNodes'][number] => ({
  packageItemTextNodeId,
  value,
  autoFilled,
})
const items = (year: string) => [
  packageItem({
    id: 900,
    imageNodes: [imageNode({ id: 899 })],
    textNodes: [
      textNode({ id: 901, name: 'Motto', dataSource: null }),
      textNode({ id: 902, name: 'Name', dataSource: 'name', editable: false }),
      textNode({ id: 903, name: 'Year', dataSource: null, value: year, editable: false }),
    ],
  }),
]
const sentence = 'This text of the package cannot be changed'

describe.each(enginesFor(import.meta.filename))('fixed texts on $name', (engine) => {
  const database = freshDatabase(engine)

  const begin = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const shop = await createCartFixtures(deps)
    const made = await shop.offer({ ...onePrint(25), items: items('2027') })
    const phone = cartClient(app, shop, await shop.enter())
    const told = async (textNodes: LineContent['textNodes'], of = made) => {
      const line = add(of, shop.adaId, { textNodes })
      const { results, cart } = await phone.sync([line])
      return { line, statuses: statuses(results), errors: results[0]?.errors, texts: textsOf(cart, line.lineId) }
    }
    return { deps, shop, made, phone, told }
  }
  const nodesOf = (line: CartPackage | undefined): CartTextNode[] => line?.cartPackageItems[0]?.textNodes ?? []
  const textsOf = ({ cartPackages }: Cart, lineId?: string): string[] =>
    nodesOf(cartPackages.find((one) => lineId === undefined || one.lineId === lineId)).map(({ value }) => value)
  const whole = (name: string, year: string) => [say(901, 'Onward'), say(902, name), say(903, year)]

  it('a fixed text is accepted as written or as autofilled, and rejected otherwise', async () => {
    const { told } = await begin()
    expect(await told(whole('Ada Lovelace', '2027'))).toMatchObject({ statuses: ['done'] })
    expect(await told(whole('', '2027'))).toMatchObject({ statuses: ['done'] })
    expect(await told(whole('Countess', '2027'))).toMatchObject({ statuses: ['text-fixed'], errors: [sentence] })
    expect(await told(whole('Ada Lovelace', '2028'))).toMatchObject({ statuses: ['text-fixed'] })
  })

  it('a fixed text cannot be changed on a line, and sending its current value is no change', async () => {
    const { deps, phone, told } = await begin()
    const { line } = await told(whole('Ada Lovelace', '2027'))
    const change = async (textNodes: LineContent['textNodes']) => {
      const { results, cart } = await phone.sync([customise(line.lineId, { textNodes })])
      return [...statuses(results), ...textsOf(cart)]
    }
    expect(await change(whole('Countess', '2027'))).toEqual(['text-fixed', 'Onward', 'Ada Lovelace', '2027'])
    await deps.db.updateTable('subjects').set({ first_name: 'Augusta' }).execute()
    expect(await change([say(901, 'Go'), say(902, 'Ada Lovelace'), say(903, '2027')])).toEqual([
      ...['done', 'Go', 'Ada Lovelace', '2027'],
    ])
    expect(await change([say(902, 'Augusta Lovelace')])).toEqual(['done', 'Go', 'Augusta Lovelace', '2027'])
  })

  it('each REST call rejects changed fixed texts, too', async () => {
    const { shop, made, phone } = await begin()
    const refused = { status: 422, problem: 'refused', errors: [sentence] }
    const post = (textNodes: LineContent['textNodes']) =>
      phone.ask('POST', 'cartpackages', {
        body: { packageId: made.id, subjectId: shop.adaId, orderMethod: 'gallery', textNodes },
      })
    expect(await post([say(902, 'Countess', true)])).toMatchObject(refused)
    const { data: line } = await post([say(901, 'Onward')])
    const [motto, name] = nodesOf(line)
    const patch = (path: string, body: object) => phone.ask('PATCH', path, { body })
    expect(await patch(`cartpackages/${line.id}`, { textNodes: [say(903, '2028')] })).toMatchObject(refused)
    expect(await patch(`cartpackageitems/text-nodes/${name?.id}`, { value: 'Countess' })).toMatchObject(refused)
    const kept = await patch(`cartpackageitems/text-nodes/${name?.id}`, { value: 'Ada Lovelace' })
    expect(textsOf(kept.data)).toEqual(['Onward', 'Ada Lovelace', '2027'])
    const typed = await patch(`cartpackageitems/text-nodes/${motto?.id}`, { value: 'Go' })
    expect(textsOf(typed.data)).toEqual(['Go', 'Ada Lovelace', '2027'])
  })

  it('a line from a device with an older version of a fixed text is accepted with the current text', async () => {
    const { deps, shop, made, told } = await begin()
    const newer = await shop.revise(made, { items: items('2028') })
    expect(await told(whole('Ada Lovelace', '2027'), newer)).toMatchObject({
      statuses: ['done'],
      texts: ['Onward', 'Ada Lovelace', '2028'],
    })
    await deps.db.updateTable('subjects').set({ first_name: 'Augusta' }).execute()
    const since = await told([say(902, 'Ada Lovelace', true), say(903, '2028')], newer)
    expect(since).toMatchObject({ statuses: ['done'], texts: ['', 'Augusta Lovelace', '2028'] })
    // A line copied to a sibling brings its current texts.
    expect(await told([say(902, 'Ada Lovelace')], newer)).toMatchObject({ texts: ['', 'Augusta Lovelace', '2028'] })
  })
})
