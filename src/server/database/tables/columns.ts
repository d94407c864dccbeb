import type { ColumnType, JSONColumnType } from 'kysely'
import type { ImageNode, TextNode } from '#domain/catalogue/catalogue.ts'
import type { ImportColumn } from '#domain/imports/import-columns.ts'

/** A `timestamptz`: read as a `Date`, written as one or as ISO 8601. */
export type Moment = ColumnType<Date, Date | string, Date | string>

/**
 * A column with a default, which an insert may leave out. Kysely's own type does not handle a column type that is read and written
 * differently, such as `Moment`.
 */
export type Generated<Content> = [Content] extends [ColumnType<infer Read, infer Insert, infer Update>]
  ? ColumnType<Read, Insert | undefined, Update>
  : ColumnType<Content, Content | undefined, Content>

/** A `jsonb`: read as a parsed value, written as the text of `JSON.stringify`. */
export type Json<Content extends object | null> = null extends Content
  ? JSONColumnType<Content, string | null, string | null>
  : JSONColumnType<Content>

/** JSON whose shape is defined elsewhere (a provider's, a log's, a recorded response's). */
export type AnyJson = { [key: string]: unknown } | unknown[]

/** The address of a studio or an organization; every part is optional, since staff fill it in gradually. */
export type PostalAddress = {
  address1?: string
  address2?: string
  city?: string
  state?: string
  zip?: string
  country?: string
}

/** The initial nodes of an item of this product. */
export type ProductNodes = { imageNodes: ImageNode[]; textNodes: TextNode[] }

export type FieldOption = { id: number; value: string }

/** The contact shown to a job's customers at checkout. */
export type CheckoutContact = {
  firstName: string
  lastName: string
  email: string
  phone: string
  title?: string
  address?: PostalAddress
}

/** The layout of an import's list in its file. */
export type ImportLayout = { sheets: string[]; headerRow: number; columns: ImportColumn[]; columnsLeftOut?: number }

/** One received part of an upload, stored in its own file. */
export type UploadPart = { key: string; size: number }
