import type { MutationResult } from '#contract/shapes/cart-structs.ts'
import type { CropDimensions, FrontendCropDimensions } from '#domain/cart/cart.ts'
import type { OrderMethod } from '#domain/catalogue/catalogue.ts'
import type { ReminderOccasion } from '#domain/reminders/due-reminder.ts'
import type { ReminderKind } from '#domain/reminders/reminder-kinds.ts'
import type { Generated, Json, Moment } from './columns.ts'

export interface CartsTables {
  carts: Carts
  cart_packages: CartPackages
  cart_package_items: CartPackageItems
  cart_text_nodes: CartTextNodes
  cart_image_nodes: CartImageNodes
  cart_data_fields: CartDataFields
  cart_order_services: CartOrderServices
  cart_retouches: CartRetouches
  cart_personalizations: CartPersonalizations
  cart_mutations: CartMutations
  job_changes: JobChanges
  reminders: Reminders
  reminder_emails: ReminderEmails
  reminder_unsubscribes: ReminderUnsubscribes
}

/** `transaction`: '0' for rows that were merged. */
type JobChanges = {
  studio_id: number
  job_id: number
  transaction: string
  changes: number
}

type Carts = {
  studio_id: number
  id: Generated<number>
  session_id: number
  job_id: number
  order_method: OrderMethod
  version: Generated<number>
  state: Generated<'open' | 'frozen' | 'ordered'>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type CartPackages = {
  studio_id: number
  id: Generated<number>
  cart_id: number
  line_id: string
  package_id: number
  package_version: number
  subject_id: number
  quantity: number
  green_screen_id: number | null
  position: Generated<number>
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type CartPackageItems = {
  studio_id: number
  id: Generated<number>
  cart_package_id: number
  package_item_id: number
  name: string
  product_code: string
  position: Generated<number>
}

type CartTextNodes = {
  studio_id: number
  id: Generated<number>
  cart_package_id: number
  package_item_id: number
  package_item_text_node_id: number
  value: string
  auto_filled: Generated<boolean>
  position: Generated<number>
}

type CartImageNodes = {
  studio_id: number
  id: Generated<number>
  cart_package_id: number
  package_item_id: number
  package_item_image_node_id: number
  subject_image_id: number | null
  group_image_id: number | null
  replacement_image_id: number | null
  crop_dimensions: Json<CropDimensions | null>
  frontend_crop_dimensions: Json<FrontendCropDimensions | null>
  rotation: Generated<number>
  position: Generated<number>
}

type CartDataFields = {
  studio_id: number
  id: Generated<number>
  cart_package_id: number
  subject_id: number
  name: string
  value: string
  template_id: number | null
  option_id: number | null
  position: Generated<number>
}

type CartOrderServices = {
  studio_id: number
  id: Generated<number>
  cart_id: number
  subject_id: number
  order_service_id: number
  image_id: number | null
  kind: 'service' | 'retouch' | 'personalization'
  price_cents: number
  created_at: Generated<Moment>
  updated_at: Generated<Moment>
}

type CartRetouches = {
  studio_id: number
  cart_order_service_id: number
  kind: Generated<'retouch'>
  level: 'basic' | 'premium'
}

type CartPersonalizations = {
  studio_id: number
  cart_order_service_id: number
  kind: Generated<'personalization'>
  name_on_wallets: boolean
  name_on_all_prints: boolean
  year_on_wallets: boolean
  year_on_all_prints: boolean
  name_to_print: string
  year_to_print: string
}

type CartMutations = {
  studio_id: number
  session_id: number
  mutation_id: string
  job_id: number
  cart_id: number | null
  does: string
  body_hash: string
  status: 'done' | 'refused'
  answer: Json<MutationResult>
  recorded_at: Generated<Moment>
}

type Reminders = {
  studio_id: number
  id: Generated<number>
  job_id: number
  cart_id: number
  email: string
  kinds: Json<ReminderKind[]>
  created_at: Generated<Moment>
  unsubscribed_at: Moment | null
}

type ReminderEmails = {
  studio_id: number
  reminder_id: number
  occasion: ReminderOccasion
  enqueued_at: Moment
  sent_at: Moment | null
}

type ReminderUnsubscribes = {
  studio_id: number
  address_hash: string
  created_at: Generated<Moment>
}
