import { channelOfProduct, loginProducts, type MetaProduct, metaProducts } from '#domain/channel/channels.ts'

/** The words of Meta's API for a product, and where its products differ. */
type ProductTerms = {
  /** `object` of its webhook calls and subscriptions. */
  webhookObject: string
  /** `platform` of calls about conversations. */
  platform: string
  /** Profile fields that contain a person's name. */
  nameFields: string
  /** Its calls go to the linked page, whose token it uses. */
  sendsThroughPage: boolean
  /** Each echo of a message contains the id that we gave it. */
  echoesOurId: boolean
  /** Receipts name messages; otherwise they name only a time. */
  receiptsNameMessages: boolean
  /** Permissions that its login requests. */
  scopes: string[]
}

export const products: Readonly<Record<MetaProduct, ProductTerms>> = {
  whatsapp: {
    webhookObject: 'whatsapp_business_account',
    platform: 'whatsapp',
    nameFields: '',
    sendsThroughPage: false,
    echoesOurId: true,
    receiptsNameMessages: true,
    scopes: [],
  },
  page: {
    webhookObject: 'page',
    platform: 'messenger',
    nameFields: 'first_name,last_name',
    sendsThroughPage: false,
    echoesOurId: true,
    receiptsNameMessages: false,
    scopes: ['pages_show_list', 'pages_messaging', 'pages_manage_metadata', 'pages_read_engagement', 'business_management'],
  },
  instagram: {
    webhookObject: 'instagram',
    platform: 'instagram',
    nameFields: 'name,username',
    sendsThroughPage: true,
    echoesOurId: false,
    receiptsNameMessages: true,
    scopes: ['instagram_basic', 'instagram_manage_messages'],
  },
}

/** Product by `object` of a webhook call. */
export const productByWebhookObject = new Map(metaProducts.map((product) => [products[product].webhookObject, product]))
/** Product by the channel in a webhook path. */
export const productByChannel = new Map<string, MetaProduct>(metaProducts.map((product) => [channelOfProduct(product), product]))
/** Permissions of the login, which serves all its products. */
export const loginScopes = loginProducts.flatMap((product) => products[product].scopes)
