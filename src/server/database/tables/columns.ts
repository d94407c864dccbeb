import type { ColumnType, JSONColumnType } from 'kysely'
import type { ImageNode, TextNode } from '#domain/catalogue/catalogue.ts'
import type { ImportColumn } from '#domain/imports/import-columns.ts'

/** A `timestamptz`: read as a `Date`, written as one or as ISO 8601. */
export type Moment = ColumnType<Date, Date | string, Date | string>

/**
 * A column the database fills in when an insert leaves it out. Kysely's own does not look inside a column type that is read and
 * written differently, such as `Moment`.
 */
export type Generated<Content> = [Content] extends [ColumnType<infer Read, infer Insert, infer Update>]
  ? ColumnType<Read, Insert | undefined, Update>
  : ColumnType<Content, Content | undefined, Content>

/** A `jsonb`: read parsed, written as the text `JSON.stringify` makes. */
export type Json<Content extends object | null> = null extends Content
  ? JSONColumnType<Content, string | null, string | null>
  : JSONColumnType<Content>

/** JSON whose shape is someone else's (a provider's, a log's, a recorded answer's). */
export type AnyJson = { [key: string]: unknown } | unknown[]

/** Where a studio or an organization is; all of it optional, since staff fill it in bit by bit. */
export type PostalAddress = {
  address1?: string
  address2?: string
  city?: string
  state?: string
  zip?: string
  country?: string
}

/** The nodes an item of this product begins with. */
export type ProductNodes = { imageNodes: ImageNode[]; textNodes: TextNode[] }

export type FieldOption = { id: number; value: string }

/** Whom a job's customers reach at checkout. */
export type CheckoutContact = {
  firstName: string
  lastName: string
  email: string
  phone: string
  title?: string
  address?: PostalAddress
}

/** How the list of an import lies in its file. */
export type ImportLayout = { sheets: string[]; headerRow: number; columns: ImportColumn[]; columnsLeftOut?: number }
/** A stretch of an upload as it arrived, in a file of its own. */
export type UploadPart = { key: string; size: number }
