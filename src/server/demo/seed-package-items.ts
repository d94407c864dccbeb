import type { ImageNode, PackageItem, PositionCoords, TextNode } from '#domain/catalogue/catalogue.ts'

type NodeDraft<Node> = Omit<Node, 'id'>
/** An item before the database has assigned its package id. */
export type ItemDraft = Omit<PackageItem, 'id' | 'imageNodes' | 'textNodes'> & {
  imageNodes: NodeDraft<ImageNode>[]
  textNodes: NodeDraft<TextNode>[]
}

type Size = readonly [widthInches: number, heightInches: number]

const fullArea: PositionCoords = { x: 0, y: 0, width: 100, height: 100 }

const imageNode = (name: string, productCode: string, positionCoords = fullArea): NodeDraft<ImageNode> => ({
  name,
  static: false,
  positionCoords,
  allowConsumerCrop: true,
  productCode,
})

const textNode = (
  name: string,
  positionCoords: PositionCoords,
  overrides: Partial<NodeDraft<TextNode>> = {},
): NodeDraft<TextNode> => ({
  name,
  editable: true,
  dataSource: null,
  altDataSource: null,
  value: '',
  positionCoords,
  ...overrides,
})

/** A print of one image that fills it. */
export const print = (name: string, productCode: string, [widthInches, heightInches]: Size): ItemDraft => ({
  name,
  productCode,
  widthInches,
  heightInches,
  imageNodes: [imageNode('Image 1', productCode)],
  textNodes: [],
})

/** A print with the subject's name and the year at the bottom. */
export const namedPrint = (year: string, ...printArguments: Parameters<typeof print>): ItemDraft => ({
  ...print(...printArguments),
  textNodes: [
    textNode('Name', { x: 10, y: 88, width: 80, height: 6 }, { dataSource: 'name' }),
    textNode('Year', { x: 35, y: 94, width: 30, height: 4 }, { value: year }),
  ],
})

/** An uncropped print of the class or the team. */
export const groupPrint = (name: string, [widthInches, heightInches]: Size): ItemDraft => ({
  name,
  productCode: 'ClassGroup',
  widthInches,
  heightInches,
  imageNodes: [{ ...imageNode('Group 1', 'ClassGroup'), allowConsumerCrop: false }],
  textNodes: [],
})

/** The team image above, the player's below, with texts next to the player. */
export const memoryMate = (year: string): ItemDraft => ({
  name: 'Memory Mate 8×10',
  productCode: 'MemoryMate',
  widthInches: 8,
  heightInches: 10,
  imageNodes: [
    imageNode('Group 1', 'MemoryMate', { x: 6, y: 5, width: 88, height: 50.3 }),
    imageNode('Image 1', 'MemoryMate', { x: 6, y: 59, width: 32, height: 35.84 }),
  ],
  textNodes: [
    textNode('Name', { x: 44, y: 64, width: 50, height: 8 }, { dataSource: 'name' }),
    textNode('Team', { x: 44, y: 74, width: 50, height: 6 }, { dataSource: 'Team' }),
    textNode('Year', { x: 44, y: 82, width: 50, height: 5 }, { value: year }),
  ],
})

/** Eight cards with a player's data. */
export const traderCards = (): ItemDraft => ({
  name: '8 Trader Cards',
  productCode: 'TraderCards',
  widthInches: 2.5,
  heightInches: 3.5,
  imageNodes: [imageNode('Image 1', 'TraderCards')],
  textNodes: [
    textNode('Name', { x: 8, y: 78, width: 84, height: 7 }, { dataSource: 'name' }),
    textNode('Team', { x: 8, y: 85, width: 84, height: 5 }, { dataSource: 'Team' }),
    textNode('Position', { x: 8, y: 90, width: 60, height: 5 }, { dataSource: 'Position' }),
    textNode('Number', { x: 74, y: 90, width: 18, height: 5 }, { dataSource: 'Jersey Number' }),
  ],
})

/** One image as a file, or all images of a subject. Nothing is printed or cropped. */
export const download = (name: string, productCode: 'SingleDigDown' | 'WholeDigDown'): ItemDraft => ({
  name,
  productCode,
  widthInches: null,
  heightInches: null,
  imageNodes:
    productCode === 'SingleDigDown' ? [{ ...imageNode('Image 1', productCode), allowConsumerCrop: false }] : [],
  textNodes: [],
})

/** The most frequent prints. */
export const eightByTen = ['8×10 Print', '8x10', [8, 10]] as const
export const fiveBySeven = ['5×7 Print', '5x7', [5, 7]] as const
export const billfolds = ['8 Billfolds', 'BFs', [2.5, 3.5]] as const
