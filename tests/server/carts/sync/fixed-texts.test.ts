import { describe, expect, it } from 'vitest'
import type { Cart, CartPackage, CartTextNode } from '#domain/cart/cart.ts'
import type { LineContent } from '#domain/cart/mutation.ts'
import { enginesFor, freshDatabase } from '#support/database/test-database.ts'
import { testApp, testDeps } from '#support/server/test-app.ts'
import { imageNode, packageItem, textNode } from '#tests/domain/cart/cart-fixtures.ts'
import { addLine, cartClient, createCartFixtures, customiseLine, onePrint, statuses } from '../cart-fixtures.ts'

const textChoice = (
  packageItemTextNodeId: number,
  value: string,
  autoFilled = false,
): LineContent['textNodes'][number] => ({
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
const fixedTextMessage = 'This text of the package can’t be changed'

describe.each(enginesFor(import.meta.filename))('fixed texts on $name', (engine) => {
  const database = freshDatabase(engine)

  const setUp = async () => {
    const deps = testDeps(database())
    const app = await testApp(deps)
    const fixtures = await createCartFixtures(deps)
    const offeredPackage = await fixtures.offer({ ...onePrint(25), items: items('2027') })
    const client = cartClient(app, fixtures, await fixtures.enter())
    const addTexts = async (textNodes: LineContent['textNodes'], soldPackage = offeredPackage) => {
      const line = addLine(soldPackage, fixtures.adaId, { textNodes })
      const { results, cart } = await client.sync([line])
      return { line, statuses: statuses(results), errors: results[0]?.errors, texts: textsOf(cart, line.lineId) }
    }
    return { deps, fixtures, offeredPackage, client, addTexts }
  }
  const nodesOf = (line: CartPackage | undefined): CartTextNode[] => line?.cartPackageItems[0]?.textNodes ?? []
  const textsOf = ({ cartPackages }: Cart, lineId?: string): string[] =>
    nodesOf(cartPackages.find((cartPackage) => lineId === undefined || cartPackage.lineId === lineId)).map(
      ({ value }) => value,
    )
  const allTexts = (name: string, year: string) => [
    textChoice(901, 'Onward'),
    textChoice(902, name),
    textChoice(903, year),
  ]

  it('a fixed text is accepted with its own value or its autofilled value, and rejected otherwise', async () => {
    const { addTexts } = await setUp()
    expect(await addTexts(allTexts('Ada Lovelace', '2027'))).toMatchObject({ statuses: ['done'] })
    expect(await addTexts(allTexts('', '2027'))).toMatchObject({ statuses: ['done'] })
    expect(await addTexts(allTexts('Countess', '2027'))).toMatchObject({
      statuses: ['text-fixed'],
      errors: [fixedTextMessage],
    })
    expect(await addTexts(allTexts('Ada Lovelace', '2028'))).toMatchObject({ statuses: ['text-fixed'] })
  })

  it('a fixed text cannot be changed on a line, and sending its current value is no change', async () => {
    const { deps, client, addTexts } = await setUp()
    const { line } = await addTexts(allTexts('Ada Lovelace', '2027'))
    const change = async (textNodes: LineContent['textNodes']) => {
      const { results, cart } = await client.sync([customiseLine(line.lineId, { textNodes })])
      return [...statuses(results), ...textsOf(cart)]
    }
    expect(await change(allTexts('Countess', '2027'))).toEqual(['text-fixed', 'Onward', 'Ada Lovelace', '2027'])
    await deps.db.updateTable('subjects').set({ first_name: 'Augusta' }).execute()
    expect(await change([textChoice(901, 'Go'), textChoice(902, 'Ada Lovelace'), textChoice(903, '2027')])).toEqual([
      ...['done', 'Go', 'Ada Lovelace', '2027'],
    ])
    expect(await change([textChoice(902, 'Augusta Lovelace')])).toEqual(['done', 'Go', 'Augusta Lovelace', '2027'])
  })

  it('each REST call rejects changed fixed texts', async () => {
    const { fixtures, offeredPackage, client } = await setUp()
    const refused = { status: 422, problem: 'refused', errors: [fixedTextMessage] }
    const post = (textNodes: LineContent['textNodes']) =>
      client.request('POST', 'cartpackages', {
        body: { packageId: offeredPackage.id, subjectId: fixtures.adaId, orderMethod: 'gallery', textNodes },
      })
    expect(await post([textChoice(902, 'Countess', true)])).toMatchObject(refused)
    const { data: line } = await post([textChoice(901, 'Onward')])
    const [motto, name] = nodesOf(line)
    const patch = (path: string, body: object) => client.request('PATCH', path, { body })
    expect(await patch(`cartpackages/${line.id}`, { textNodes: [textChoice(903, '2028')] })).toMatchObject(refused)
    expect(await patch(`cartpackageitems/text-nodes/${name?.id}`, { value: 'Countess' })).toMatchObject(refused)
    const unchanged = await patch(`cartpackageitems/text-nodes/${name?.id}`, { value: 'Ada Lovelace' })
    expect(textsOf(unchanged.data)).toEqual(['Onward', 'Ada Lovelace', '2027'])
    const typed = await patch(`cartpackageitems/text-nodes/${motto?.id}`, { value: 'Go' })
    expect(textsOf(typed.data)).toEqual(['Go', 'Ada Lovelace', '2027'])
  })

  it('a line from a device with an older version of a fixed text is accepted with the current text', async () => {
    const { deps, fixtures, offeredPackage, addTexts } = await setUp()
    const newVersion = await fixtures.revise(offeredPackage, { items: items('2028') })
    expect(await addTexts(allTexts('Ada Lovelace', '2027'), newVersion)).toMatchObject({
      statuses: ['done'],
      texts: ['Onward', 'Ada Lovelace', '2028'],
    })
    await deps.db.updateTable('subjects').set({ first_name: 'Augusta' }).execute()
    const renamed = await addTexts([textChoice(902, 'Ada Lovelace', true), textChoice(903, '2028')], newVersion)
    expect(renamed).toMatchObject({ statuses: ['done'], texts: ['', 'Augusta Lovelace', '2028'] })
    // A line copied from another subject is sent with the text of that subject.
    expect(await addTexts([textChoice(902, 'Ada Lovelace')], newVersion)).toMatchObject({
      texts: ['', 'Augusta Lovelace', '2028'],
    })
  })
})
