import { digitalLabels, type PackageItem } from '../../domain/catalogue.ts'

/** What an item is called: the spoken names of downloads, the studio's own of all else. */
export const itemWords = (item: Pick<PackageItem, 'name' | 'productCode'>): string =>
  digitalLabels[item.productCode] ?? item.name.replaceAll(/(\d)\s*x\s*(?=\d)/gi, '$1×')
