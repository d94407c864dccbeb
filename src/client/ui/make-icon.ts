import { createElement, type FunctionComponent, type SVGProps } from 'react'

/** What the package's file of an icon holds: its shapes, on a square of 24. */
type Drawing = { node: readonly (readonly [tag: string, attributes: object])[] }

type Props = SVGProps<SVGSVGElement> & { size: string | number }

const pen = { fill: 'none', stroke: 'currentColor', strokeLinecap: 'round', strokeLinejoin: 'round' } as const

/** An icon from its shapes: at the build it stands in for the package's `createLucideIcon` (vite.config.ts), as far as `Icon` needs it. */
// biome-ignore lint/style/noDefaultExport: what the package's files import
export default ({ node }: Drawing): FunctionComponent<Props> =>
  ({ size, ...rest }) =>
    createElement(
      'svg',
      { viewBox: '0 0 24 24', width: size, height: size, ...pen, ...rest },
      node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
