import { type ESTree, parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'
import { readSourceFiles } from './source-files.ts'

/** The elements that people press, by their names in our screens. */
const controls = new Set(['button', 'a', 'Link', 'Button', 'ButtonLink'])

type Element = ESTree.JSXElement
type Child = Element['children'][number]

const nameOf = ({ openingElement: { name } }: Element): string => (name.type === 'JSXIdentifier' ? name.name : '')

/** Whether a child has text: a string, an expression, or an element that is no icon. */
const says = (child: Child): boolean => {
  if (child.type === 'JSXText') return child.value.trim() !== ''
  if (child.type === 'JSXElement') return nameOf(child) !== 'Icon'
  return child.type !== 'JSXExpressionContainer' || child.expression.type !== 'JSXEmptyExpression'
}

const showsIcon = ({ openingElement: { attributes }, children }: Element): boolean =>
  attributes.some((one) => one.type === 'JSXAttribute' && one.name.name === 'icon') ||
  children.some((child) => child.type === 'JSXElement' && nameOf(child) === 'Icon')

/** Text may come with spread attributes. */
const isSpread = ({ openingElement: { attributes } }: Element): boolean =>
  attributes.some(({ type }) => type === 'JSXSpreadAttribute')

/** The controls of a source that show only an icon, by line. */
const iconOnlyIn = (path: string, text: string): string[] => {
  const found: string[] = []
  new Visitor({
    JSXElement: (element) => {
      if (!controls.has(nameOf(element)) || isSpread(element)) return
      if (!showsIcon(element) || element.children.some(says)) return
      found.push(`${path}:${text.slice(0, element.start).split('\n').length}`)
    },
  }).visit(parseSync(path, text).program)
  return found
}

test('a control with only an icon is an IconButton, which has a tooltip on staff screens', () => {
  const sources = readSourceFiles('src/client').filter(({ path }) => path.endsWith('.tsx'))
  expect(sources.flatMap(({ path, text }) => iconOnlyIn(path, text))).toEqual([])
})

test.each([
  ['<Button icon={X} aria-label="Close" />', 1],
  ['<ButtonLink href="/" icon={X} aria-label="Home"></ButtonLink>', 1],
  ['<button type="button" aria-label="More">\n  <Icon of={X} />\n</button>', 1],
  ['<button type="button"><Icon of={X} /> More</button>', 0],
  ['<Button icon={X}>{label}</Button>', 0],
  ['<Link href="/"><Icon of={X} /><span>Home</span></Link>', 0],
  ['<IconButton icon={X} label="Close" />', 0],
])('%s contains %i controls without text', (text, count) => {
  expect(iconOnlyIn('example.tsx', `export const Example = () => ${text}`)).toHaveLength(count)
})
