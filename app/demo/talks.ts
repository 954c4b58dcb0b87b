/** Conversations of the demo company: pairs of author and text. `c` is the customer, `a` the agent, {n} the customer's first name. */
export type Turn = readonly [who: string, words: string]
/** A group conversation has no queue, and its authors are named. */
export type Talk = { queue: 'Vendas' | 'Suporte' | 'Financeiro' | null; turns: Turn[] }

const talk = (queue: Talk['queue'], ...turns: Turn[]): Talk => ({ queue, turns })

export const talks: Talk[] = [
  talk(
    'Vendas',
    ['c', 'Oi, boa tarde! Vocês ainda têm a cafeteira preta da promoção?'],
    ['a', 'Boa tarde, {n}! Temos sim, restam 4 unidades na loja do centro.'],
    ['c', 'Que ótimo. Dá pra reservar uma até amanhã?'],
    ['a', 'Reservei no seu nome até amanhã às 18h. Precisa de mais alguma coisa?'],
    ['c', 'Só isso mesmo, muito obrigada!'],
    ['a', 'Por nada! Até amanhã 😊'],
  ),
  talk(
    'Vendas',
    ['c', 'Bom dia, qual o valor do plano de 300 mega?'],
    ['a', 'Bom dia, {n}! O plano de 300 mega sai por R$ 99,90 por mês, com instalação grátis.'],
    ['c', 'Tem fidelidade?'],
    ['a', 'São 12 meses. Sem fidelidade fica R$ 119,90.'],
    ['c', 'Entendi. Vou falar com minha esposa e volto a chamar'],
    ['a', 'Combinado! Deixo a proposta guardada por 7 dias.'],
  ),
  talk(
    'Vendas',
    ['c', 'Olá! Fazem entrega no bairro São Benedito?'],
    ['a', 'Olá, {n}! Fazemos sim, taxa de R$ 8,00 e prazo de até 40 minutos.'],
    ['c', 'Quero então 2 marmitas de frango, por favor'],
    ['a', 'Anotado! 2 marmitas de frango. Pagamento em Pix ou cartão?'],
    ['c', 'Pix'],
    ['a', 'A chave é o nosso CNPJ. Assim que cair eu libero o pedido.'],
    ['c', 'Pronto, enviado'],
    ['a', 'Recebido! Já está em preparo. Obrigado pela preferência 🙌'],
  ),
  talk(
    'Suporte',
    ['c', 'Minha internet caiu de novo'],
    ['c', 'Já é a terceira vez essa semana'],
    ['a', 'Oi, {n}, sinto muito pelo transtorno. As luzes do aparelho estão verdes ou vermelhas?'],
    ['c', 'A de baixo está vermelha'],
    ['a', 'Isso é sinal na rua. Abri um chamado e o técnico passa hoje entre 14h e 16h.'],
    ['c', 'Ok, aguardo'],
    ['a', 'O técnico confirmou: fibra rompida na esquina, já refeita. Pode testar?'],
    ['c', 'Voltou! Valeu demais'],
  ),
  talk(
    'Suporte',
    ['c', 'Esqueci a senha do aplicativo e o e-mail de recuperação não chega'],
    ['a', 'Vamos resolver, {n}. O e-mail cadastrado ainda é o mesmo?'],
    ['c', 'Mudei faz uns meses, deve ser isso'],
    ['a', 'Atualizei para o novo. Pode pedir a recuperação outra vez?'],
    ['c', 'Chegou agora 🎉'],
  ),
  talk(
    'Suporte',
    ['c', 'O produto veio com a tela riscada'],
    ['a', 'Puxa, {n}, desculpe por isso. Consegue me mandar o número do pedido?'],
    ['c', 'É o 48213'],
    ['a', 'Obrigado. Gerei a troca: a transportadora busca na quinta e o novo sai no mesmo dia.'],
    ['c', 'Preciso imprimir alguma etiqueta?'],
    ['a', 'Não precisa, o motorista leva. Só deixe a caixa fechada.'],
    ['c', 'Perfeito, obrigado pela rapidez'],
  ),
  talk(
    'Suporte',
    ['c', 'Como faço para incluir mais um usuário?'],
    ['a', 'Oi, {n}! Em Administração, Usuários, botão Adicionar. Quer que eu faça com você?'],
    ['c', 'Consegui aqui, obrigada!'],
  ),
  talk(
    'Financeiro',
    ['c', 'Bom dia, preciso da segunda via do boleto de novembro'],
    ['a', 'Bom dia, {n}! Já gerei, vence na sexta. Quer por aqui ou no e-mail?'],
    ['c', 'Pode ser por aqui mesmo'],
    ['a', 'Linha digitável: 34191.79001 01043.510047 91020.150008 5 99990000009990'],
    ['c', 'Obrigado!'],
  ),
  talk(
    'Financeiro',
    ['c', 'Fui cobrado duas vezes este mês'],
    ['a', 'Vou verificar agora, {n}. Um minuto, por favor.'],
    ['a', 'Confirmei a duplicidade. O estorno cai em até 5 dias úteis.'],
    ['c', 'Tem como virar crédito na próxima fatura?'],
    ['a', 'Tem sim, troquei para crédito. A próxima vem com o desconto.'],
    ['c', 'Resolvido então, obrigado'],
  ),
  talk(
    'Financeiro',
    ['c', 'Paguei ontem e ainda aparece em aberto'],
    ['a', 'Oi, {n}! Pagamento por boleto leva até 2 dias úteis para compensar. Se quiser, mande o comprovante que eu já sinalizo.'],
    ['c', 'Ah tá, então vou esperar'],
  ),
  talk('Vendas', ['c', 'Vocês abrem no feriado?'], ['a', 'Abrimos das 9h às 14h, {n}!'], ['c', 'Show, passo aí']),
  talk(
    'Suporte',
    ['c', 'Queria remarcar minha consulta de quinta'],
    ['a', 'Claro, {n}. Tenho sexta às 10h ou segunda às 15h30.'],
    ['c', 'Segunda 15h30'],
    ['a', 'Remarcado para segunda às 15h30 com a Dra. Paula. Até lá!'],
    ['c', 'Obrigada 🙏'],
  ),
]

export const groups: { name: string; number: string; talk: Talk }[] = [
  {
    name: 'Obra Rua Aurora 120',
    number: '120363025518840001',
    talk: talk(
      null,
      ['Seu Valdir', 'Bom dia, pessoal. O piso chega hoje ou amanhã?'],
      ['Dona Marta', 'Preciso saber pra deixar a chave com o porteiro'],
      ['a', 'Bom dia! A entrega está confirmada para amanhã, entre 8h e 10h.'],
      ['Dona Marta', 'Perfeito, aviso na portaria'],
      ['Téo Pedreiro', 'Manda junto 4 sacos de rejunte cinza, por favor'],
      ['Téo Pedreiro', 'E 2 desempenadeiras'],
      ['a', 'Incluí os 4 sacos de rejunte e as 2 desempenadeiras no mesmo pedido.'],
      ['Seu Valdir', 'Show. A nota sai no meu CPF, tá?'],
      ['Dona Marta', 'Isso, e me mandem uma cópia aqui no grupo'],
    ),
  },
  {
    name: 'Condomínio Jardim das Acácias',
    number: '120363025518840002',
    talk: talk(
      null,
      ['Sílvia Síndica', 'Boa tarde! A internet do salão de festas está fora desde ontem'],
      ['Zé da Portaria', 'Aqui na portaria também oscila'],
      ['a', 'Boa tarde! Já vi a falha no ponto do bloco B. O técnico vai hoje às 16h.'],
      ['Zé da Portaria', 'Eu libero a entrada dele'],
      ['Raquel 502', 'Aproveitem e vejam o 5º andar, aqui cai toda noite'],
      ['a', 'Anotado, Raquel: o 5º andar entra na mesma visita.'],
      ['Raquel 502', 'Obrigada!'],
      ['Sílvia Síndica', 'Muito obrigada, fico no aguardo do retorno'],
    ),
  },
]

export const firstNames =
  'Mariana João Beatriz Lucas Fernanda Rafael Camila Pedro Juliana Gustavo Larissa Thiago Patrícia Diego Aline Marcelo Vanessa Eduardo Renata Felipe Cristiane André Letícia Rodrigo Simone Vinícius Débora Caio Natália Leandro'.split(
    ' ',
  )
export const lastNames =
  'Silva Santos Oliveira Costa Pereira Almeida Ferreira Rodrigues Gomes Martins Araújo Barbosa Ribeiro Carvalho Teixeira Moreira Cardoso Nogueira'.split(
    ' ',
  )
