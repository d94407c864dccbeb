import { array, boolean, type Describe, enums, integer, nullable, number, optional, string, type } from 'superstruct'
import * as domain from '#domain/catalogue/catalogue.ts'
import { Dollars } from './primitives.ts'

export const PositionCoords: Describe<domain.PositionCoords> = type({
  x: number(),
  y: number(),
  width: number(),
  height: number(),
})

export const ImageNode: Describe<domain.ImageNode> = type({
  id: integer(),
  name: string(),
  static: boolean(),
  positionCoords: PositionCoords,
  allowConsumerCrop: boolean(),
  productCode: string(),
})

export const TextNode: Describe<domain.TextNode> = type({
  id: integer(),
  name: string(),
  editable: boolean(),
  dataSource: nullable(string()),
  altDataSource: nullable(string()),
  value: string(),
  positionCoords: PositionCoords,
})

export const PackageItem: Describe<domain.PackageItem> = type({
  id: integer(),
  name: string(),
  productCode: string(),
  widthInches: nullable(number()),
  heightInches: nullable(number()),
  imageNodes: array(ImageNode),
  textNodes: array(TextNode),
})

export const PackageAddon: Describe<domain.PackageAddon> = type({
  type: enums(domain.packageAddonTypes),
  requiredMinPrice: nullable(Dollars),
  requiresStandard: boolean(),
  packageId: nullable(integer()),
})

export const Package: Describe<domain.Package> = type({
  id: integer(),
  version: integer(),
  name: string(),
  retailCost: Dollars,
  altName: nullable(string()),
  altDescription: nullable(string()),
  items: array(PackageItem),
  packageAddon: PackageAddon,
  mostPopular: optional(boolean()),
})
