"""Sentences in Spanish and Italian that a lone surname opens, and others that none opens; names stand in brackets.

``LOOKED_AT`` was measured before and while rules were mended, ``HELD_OUT`` once before and once after that.
``LAST_OPENING`` was written and measured once, after all of it.
"""

from __future__ import annotations

from tests.core.media.names.marked import unmarked

LOOKED_AT_TEXTS = {
    "es": """
[Zubimendi] abre el marcador en el minuto doce.
[Oyarzabal] no llega al balón por muy poco.
[Urkullu] anuncia elecciones para el otoño.
[Almodóvar] presenta su nueva película en Venecia.
[Badosa] se retira del torneo por una lesión.
[Echenique] responde a las preguntas de los periodistas.
[Iturralde] mira por la ventana y suspira.
[Zapatero] ha llegado esta mañana a Caracas.
[Cuerpo] explica los presupuestos en el Congreso.
[Llorente] está sentado en el banquillo.
Mañana llega el frío a toda la península.
Ganar es lo único que importa hoy.
Nadie dice nada durante la cena.
Gente corriendo bajo la lluvia.
Flores para la abuela, verano de 1988.
Quizás viene más tarde.
Silencio en la sala.
""",
    "it": """
[Sinner] chiude il set con un ace.
[Musetti] non arriva sulla palla corta.
[Giorgetti] annuncia la nuova manovra.
[Sorrentino] presenta il suo film a Cannes.
[Brignone] si ritira per un infortunio.
[Mantovano] risponde alle domande dei giornalisti.
[Montalbano] guarda fuori dalla finestra e sospira.
[Crosetto] è arrivato stamattina a Bruxelles.
[Calderoli] spiega la riforma in aula.
[Donnarumma] sta seduto in panchina.
Domani arriva il freddo su tutta la penisola.
Vincere è l'unica cosa che conta.
Nessuno dice niente durante la cena.
Gente che corre sotto la pioggia.
Fiori per la nonna, estate 1988.
Forse viene più tardi.
Silenzio in sala.
""",
}
HELD_OUT_TEXTS = {
    "es": """
[Munar] gana el primer set en cuarenta minutos.
[Aitana] y sus compañeras esperan en el túnel.
[Feijóo] vuelve a pedir la dimisión del ministro.
[Zubiri] nunca habla de su infancia.
[Urdangarin] sale del juzgado sin hacer declaraciones.
[Merino] marca de cabeza en el descuento.
[Barrenetxea] entra en el campo por la banda izquierda.
[Otegi] fue recibido por una multitud.
[Puig] le entrega el sobre a la detective.
[Berasategui] prueba la salsa y asiente.
Siempre llueve cuando llega el domingo.
Vivir aquí es cada vez más caro.
Alguien abre la puerta desde fuera.
Ojalá vuelve el verano pronto.
Arriba está la habitación de los niños.
Marea baja en la playa al atardecer.
Último abrazo antes del viaje.
""",
    "it": """
[Berrettini] vince il primo set in quaranta minuti.
[Paolini] e le compagne aspettano nel tunnel.
[Schlein] torna a chiedere le dimissioni del ministro.
[Zoppas] non parla mai della sua infanzia.
[Furlan] esce dal tribunale senza dichiarazioni.
[Frattesi] segna di testa nel recupero.
[Dimarco] entra in campo dalla fascia sinistra.
[Landini] era atteso da una folla.
[Schiavone] gli consegna la busta.
[Cracco] assaggia la salsa e annuisce.
Spesso piove quando arriva la domenica.
Vivere qui è sempre più caro.
Qualcuno apre la porta da fuori.
Magari torna presto l'estate.
Sopra c'è la camera dei bambini.
Bassa marea sulla spiaggia al tramonto.
Ultimo abbraccio prima del viaggio.
""",
}
LAST_TEXTS = {
    "es": """
[Simeone] pierde los nervios en la banda.
[Arrimadas] deja la política tras la derrota.
[Etxeberria] pregunta por el horario del tren.
[Ruiz] ya no trabaja aquí.
[Cuarón] dirige a los niños con paciencia.
[Bolaños] llega tarde a la reunión.
[Gasol] recibe un homenaje en el pabellón.
[Lobato] escribe una carta y la quema.
[Quintana] cae a dos kilómetros de la meta.
[Zúñiga] se sienta al borde de la cama.
Tráfico lento en la autopista esta noche.
Correr sienta bien a cualquier edad.
Esto va a doler un poco.
Perro busca familia que le quiera.
Verdad es que nunca lo pensé.
Bienvenidos a casa, chicos.
""",
    "it": """
[Inzaghi] perde la calma in panchina.
[Salvini] lascia l'aula dopo il voto.
[Bortolotti] chiede l'orario del treno.
[Rossi] non lavora più qui.
[Garrone] dirige i bambini con pazienza.
[Tajani] arriva tardi alla riunione.
[Belinelli] riceve un omaggio al palazzetto.
[Pautasso] scrive una lettera e la brucia.
[Nibali] cade a due chilometri dal traguardo.
[Zanetti] si siede sul bordo del letto.
Traffico lento in autostrada stasera.
Correre fa bene a ogni età.
Questo farà un po' male.
Cane cerca famiglia affettuosa.
Verità è che non ci ho pensato.
Benvenuti a casa, ragazzi.
""",
}
LOOKED_AT = {language: unmarked(text) for language, text in LOOKED_AT_TEXTS.items()}
HELD_OUT = {language: unmarked(text) for language, text in HELD_OUT_TEXTS.items()}
LAST_OPENING = {language: unmarked(text) for language, text in LAST_TEXTS.items()}
