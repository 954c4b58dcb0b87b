import { chatbots } from '#domain/chatbot/contract.ts'
import { calls, type FeatureModule } from '../module.ts'
import { chatbotRoutes } from './routes.ts'

export const chatbotModule: FeatureModule = { calls: [calls('chatbots', chatbots, chatbotRoutes)] }
