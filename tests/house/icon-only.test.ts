import { type ESTree, parseSync, Visitor } from 'vite'
import { expect, test } from 'vitest'
import { readSourceFiles } from './source-files.ts'

/** The names of elements that can be pressed. */
const controls = new Set(['button', 'a', 'Link', 'Button', 'ButtonLink'])

type Element = ESTree.JSXElement
type Child = Element['children'][number]

const getName = ({ openingElement: { name } }: Element): string => (name.type === 'JSXIdentifier' ? name.name : '')

/** Whether a child is text: a string, an expression, or an element other than an icon. */
const hasText = (child: Child): boolean => {
  if (child.type === 'JSXText') return child.value.trim() !== ''
  if (child.type === 'JSXElement') return getName(child) !== 'Icon'
  return child.type !== 'JSXExpressionContainer' || child.expression.type !== 'JSXEmptyExpression'
}

const showsIcon = ({ openingElement: { attributes }, children }: Element): boolean =>
  attributes.some((attribute) => attribute.type === 'JSXAttribute' && attribute.name.name === 'icon') ||
  children.some((child) => child.type === 'JSXElement' && getName(child) === 'Icon')

/** An element with spread attributes may get its text from them. */
const isSpread = ({ openingElement: { attributes } }: Element): boolean =>
  attributes.some(({ type }) => type === 'JSXSpreadAttribute')

/** The controls of a source that show only an icon, by line. */
const findIconOnlyControls = (path: string, text: string): string[] => {
  const locations: string[] = []
  new Visitor({
    JSXElement: (element) => {
      if (!controls.has(getName(element)) || isSpread(element)) return
      if (!showsIcon(element) || element.children.some(hasText)) return
      locations.push(`${path}:${text.slice(0, element.start).split('\n').length}`)
    },
  }).visit(parseSync(path, text).program)
  return locations
}

test('a control with only an icon is an IconButton, which has a tooltip on staff screens', () => {
  const sources = readSourceFiles('src/client').filter(({ path }) => path.endsWith('.tsx'))
  expect(sources.flatMap(({ path, text }) => findIconOnlyControls(path, text))).toEqual([])
})

test.each([
  ['<Button icon={X} aria-label="Close" />', 1],
  ['<ButtonLink href="/" icon={X} aria-label="Home"></ButtonLink>', 1],
  ['<button type="button" aria-label="More">\n  <Icon of={X} />\n</button>', 1],
  ['<button type="button"><Icon of={X} /> More</button>', 0],
  ['<Button icon={X}>{label}</Button>', 0],
  ['<Link href="/"><Icon of={X} /><span>Home</span></Link>', 0],
  ['<IconButton icon={X} label="Close" />', 0],
])('the JSX %s contains %i controls without text', (text, count) => {
  expect(findIconOnlyControls('example.tsx', `export const Example = () => ${text}`)).toHaveLength(count)
})
