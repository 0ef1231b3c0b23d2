"""Captions in four languages of another form: long sentences of documentaries, rows of a group picture, letters, recipes,
obituaries, minutes and quizzes; names stand in brackets.

``EIGHTH`` and ``NINTH`` were written together, before any list of the code was looked at, and measured once each;
no rule was mended on them.
"""

from __future__ import annotations

from tests.core.media.names.marked import unmarked

EIGHTH_TEXTS = {
    "de": """
Als der Krieg zu Ende ging, kehrte [Albrecht Nieswandt] zu Fuß nach Hause zurück und fand dort niemanden mehr vor.
Hintere Reihe, von links nach rechts: [Gesine Pohl], [Ferdinand Achternbusch] und ein Unbekannter.
Heute kocht unsere Studiogästin [Ayşe Demirel] eine Suppe aus roten Linsen und Minze.
Wer hätte gedacht, dass ausgerechnet [Dietlinde] den Schlüssel behalten würde?
Die Fähre legt um sieben Uhr ab und erreicht die Insel gegen Mittag.
Liebe [Roswitha], hier regnet es seit drei Tagen, und die Kinder langweilen sich.
Das Protokoll führte [Henning Kluth], entschuldigt fehlten zwei Mitglieder.
In der Werkstatt von [Joachim Treptow] riecht es nach Leim und frischem Holz.
Nach langer Krankheit starb gestern der Geologe [Eberhard Windisch] im Alter von 81 Jahren.
Obwohl es schon dunkel war, ging [Marlies] noch einmal hinunter zum See.
Für drei Punkte: In welchem Jahr wurde die Donaubrücke gebaut?
Den zweiten Preis teilen sich [Noah Sieverding] und [Chiara Hofstetter] aus Bamberg.
Dann habe ich zu [Torben] gesagt, er solle endlich den Mund halten.
Die Zwiebeln werden fein gehackt und in Butter glasig gedünstet.
Auf dem Dachboden entdeckt [Luise] die Briefe, die ihr Großvater nie abgeschickt hat.
Unter der Leitung von [Konstantin Rabe] wuchs der Betrieb auf vierzig Angestellte.
Ohne [Hildegard] wäre aus dem ganzen Unternehmen nichts geworden, sagt ihr Bruder bis heute.
Mit den Ziegen zieht [Urs Zgraggen] jeden Sommer auf die Alp.
Vom Balkon aus winkt uns [Friedel] zu, so wie jeden Morgen.
Herzliche Grüße aus Dresden senden euch [Mechthild] und die Kinder.
""",
    "fr": """
Lorsque la guerre prit fin, [Anselme Vauthier] rentra chez lui à pied et ne retrouva plus personne.
Au dernier rang, de gauche à droite : [Odette Marchand], [Firmin Labrousse] et un inconnu.
Aujourd'hui, notre invitée [Yasmina Belkacem] prépare une soupe de lentilles à la menthe.
Qui aurait cru que ce serait justement [Solange] qui garderait la clé ?
Le ferry part à sept heures et atteint l'île vers midi.
Ma chère [Josiane], il pleut ici depuis trois jours et les enfants s'ennuient.
Le compte rendu a été rédigé par [Thibault Carpentier], deux membres étaient excusés.
Dans l'atelier de [Rémi Tournebise], ça sent la colle et le bois frais.
Après une longue maladie, le géologue [Évariste Monnier] s'est éteint hier à 81 ans.
Bien qu'il fasse déjà nuit, [Maëlle] redescend une dernière fois vers le lac.
Pour trois points : en quelle année ce pont a-t-il été construit ?
Le deuxième prix revient à [Noé Lagarrigue] et à [Clémence Aubertin], de Limoges.
Alors j'ai dit à [Kévin] qu'il ferait mieux de se taire.
Hachez finement les oignons et faites-les revenir dans le beurre.
Au grenier, [Léopoldine] découvre les lettres que son grand-père n'a jamais envoyées.
Sous la direction de [Stanislas Roy], l'entreprise est passée à quarante salariés.
Sans [Raymonde], rien de tout cela n'aurait été possible, répète encore son frère.
Avec ses chèvres, [Ulysse Perrin] monte chaque été à l'alpage.
Du balcon, [Zoé] nous fait signe, comme tous les matins.
Nous vous embrassons de Bordeaux, [Ghislaine] et les enfants.
""",
    "es": """
Cuando terminó la guerra, [Anselmo Barrientos] volvió a casa andando y ya no encontró a nadie.
En la última fila, de izquierda a derecha: [Otilia Cabezas], [Fermín Larrañaga] y un desconocido.
Hoy nuestra invitada [Yasmín Haddad] prepara una sopa de lentejas con hierbabuena.
¿Quién iba a pensar que sería precisamente [Remedios] quien se quedara con la llave?
El transbordador sale a las siete y llega a la isla hacia el mediodía.
Querida [Encarna], aquí llueve desde hace tres días y los niños se aburren.
Redactó el acta [Teodoro Campillo] y excusaron su asistencia dos vocales.
En el taller de [Ramiro Olavide] huele a cola y a madera fresca.
Tras una larga enfermedad murió ayer el geólogo [Evaristo Montalbán] a los 81 años.
Aunque ya era de noche, [Maite] bajó una vez más hasta el lago.
Por tres puntos: ¿en qué año se construyó este puente?
El segundo premio es para [Noelia Lagunas] y [Clemente Aumente], de Albacete.
Entonces le dije a [Iker] que cerrara la boca de una vez.
Se pican las cebollas muy finas y se pochan en mantequilla.
En el desván, [Leocadia] descubre las cartas que su abuelo nunca envió.
Bajo la dirección de [Estanislao Rey], la empresa llegó a los cuarenta empleados.
Sin [Ramona] nada de esto habría sido posible, repite todavía su hermano.
Con sus cabras, [Ulises Peralta] sube cada verano a los pastos.
Desde el balcón nos saluda [Zaida], como todas las mañanas.
Un abrazo desde Sevilla de parte de [Graciela] y los niños.
""",
    "it": """
Quando la guerra finì, [Anselmo Vaccari] tornò a casa a piedi e non trovò più nessuno.
Nell'ultima fila, da sinistra a destra: [Ottavia Marchesini], [Firmino Lavezzi] e uno sconosciuto.
Oggi la nostra ospite [Yasmine Belhadj] prepara una zuppa di lenticchie alla menta.
Chi avrebbe mai detto che sarebbe stata proprio [Iolanda] a tenersi la chiave?
Il traghetto parte alle sette e raggiunge l'isola verso mezzogiorno.
Cara [Giuseppina], qui piove da tre giorni e i bambini si annoiano.
Il verbale è stato redatto da [Tiziano Carpani], due soci erano assenti giustificati.
Nella bottega di [Remigio Tornabene] si sente odore di colla e di legno fresco.
Dopo una lunga malattia è morto ieri il geologo [Evaristo Monari], aveva 81 anni.
Anche se ormai era buio, [Mirella] scese ancora una volta fino al lago.
Per tre punti: in che anno fu costruito questo ponte?
Il secondo premio va a [Noemi Lagostena] e a [Clemente Albertini], di Cremona.
Allora ho detto a [Kevin] che era meglio se stava zitto.
Tritate finemente le cipolle e fatele appassire nel burro.
In soffitta [Leopolda] scopre le lettere che suo nonno non ha mai spedito.
Sotto la guida di [Stanislao Re] l'azienda è arrivata a quaranta dipendenti.
Senza [Raimonda] niente di tutto questo sarebbe stato possibile, ripete ancora suo fratello.
Con le sue capre [Ulisse Perini] sale ogni estate all'alpeggio.
Dal balcone ci saluta [Zita], come tutte le mattine.
Un abbraccio da Bologna da parte di [Graziella] e dei bambini.
""",
}

NINTH_TEXTS = {
    "de": """
Im Winter 1929 verließ [Cäcilie Obermoser] das Dorf, ohne sich noch einmal umzudrehen.
Kniend in der ersten Reihe: [Jörg Wallmeier], [Süleyman Kaya] und der Zeugwart.
Warum eigentlich hat [Isolde] damals nicht unterschrieben?
Man nehme vier Eier, etwas Mehl und eine Prise Salz.
Lieber [Gottfried], dein Brief lag heute Morgen im Kasten, und ich habe mich sehr gefreut.
Zum Kassenwart wurde einstimmig [Swantje Harms] gewählt.
Der Imker [Lorenz Bichler] öffnet vorsichtig den ersten Kasten.
Bis spät in die Nacht saßen [Ottilie] und ihr Neffe über den alten Karten.
Um die Witwe [Elisabeth Kranz] trauern drei Töchter und neun Enkel.
Das Museum bleibt wegen Umbaus bis zum Frühjahr geschlossen.
Wenn du [Jannik] siehst, dann sag ihm, dass das Boot fertig ist.
Am Klavier begleitet sie [Rüdiger Thalbach], am Schlagzeug sitzt ihr Sohn.
Seit gestern ist [Merle] wieder da, und niemand weiß, wo sie gewesen ist.
Die Pilotin [Franziska Oelkers] erklärt den Kindern, wie man ein Flugzeug landet.
Rechts unten erkennt man den Eingang zur alten Mühle.
Der Apfelbaum, den [Korbinian] gepflanzt hat, trägt in diesem Jahr zum ersten Mal.
Gegen den Rat der Ärzte verließ [Wolfhard Prinz] das Krankenhaus.
Neben dem Taufbecken stehen die Eltern, [Birte] und [Malte Jessen].
Es war [Adelheid], die zuerst das Licht am anderen Ufer bemerkte.
Deine dich liebende Schwester [Notburga]
""",
    "fr": """
Pendant l'hiver 1929, [Célestine Aubrac] quitta le village sans se retourner.
Accroupis au premier rang : [Jocelyn Vallet], [Soulaymane Keita] et le préparateur.
Pourquoi donc [Iseult] n'a-t-elle pas signé à l'époque ?
Prenez quatre œufs, un peu de farine et une pincée de sel.
Mon cher [Godefroy], ta lettre est arrivée ce matin et m'a fait grand plaisir.
C'est [Solenn Hamon] qui a été élue trésorière à l'unanimité.
L'apiculteur [Laurent Bichon] ouvre prudemment la première ruche.
Tard dans la nuit, [Ottilie] et son neveu restaient penchés sur les vieilles cartes.
La veuve [Élisabeth Krantz] laisse trois filles et neuf petits-enfants.
Le musée reste fermé pour travaux jusqu'au printemps.
Si tu vois [Yannick], dis-lui que le bateau est prêt.
Au piano, [Rodolphe Thibaudet] ; à la batterie, son fils.
Depuis hier, [Mérédith] est revenue, et personne ne sait où elle était.
La pilote [Françoise Oudin] explique aux enfants comment on pose un avion.
En bas à droite, on reconnaît l'entrée du vieux moulin.
Le pommier que [Corentin] a planté donne cette année pour la première fois.
Contre l'avis des médecins, [Wilfried Prince] a quitté l'hôpital.
À côté des fonts baptismaux se tiennent les parents, [Bérengère] et [Malo Josse].
Ce fut [Adélaïde] qui aperçut la première la lumière sur l'autre rive.
Ta sœur qui t'aime, [Notburge]
""",
    "es": """
En el invierno de 1929, [Celestina Aguado] dejó el pueblo sin volver la vista atrás.
Agachados en primera fila: [Jordi Vallés], [Suleimán Keita] y el utillero.
¿Por qué no firmó entonces [Isolda]?
Se toman cuatro huevos, un poco de harina y una pizca de sal.
Querido [Godofredo], tu carta llegó esta mañana y me alegró mucho.
Fue elegida tesorera por unanimidad [Sonsoles Hermida].
El apicultor [Lorenzo Bichara] abre con cuidado la primera colmena.
Hasta bien entrada la noche, [Otilia] y su sobrino estudiaban los viejos mapas.
La viuda [Isabel Cranz] deja tres hijas y nueve nietos.
El museo permanecerá cerrado por obras hasta la primavera.
Si ves a [Yeray], dile que la barca está lista.
Al piano, [Rodolfo Tébar]; a la batería, su hijo.
Desde ayer ha vuelto [Meritxell], y nadie sabe dónde ha estado.
La piloto [Paquita Olmedo] explica a los niños cómo se aterriza un avión.
Abajo a la derecha se reconoce la entrada del viejo molino.
El manzano que plantó [Crisanto] da fruto este año por primera vez.
Contra el consejo de los médicos, [Wilfredo Príncipe] abandonó el hospital.
Junto a la pila bautismal están los padres, [Begoña] y [Mateo Josa].
Fue [Adelaida] quien vio primero la luz en la otra orilla.
Tu hermana que te quiere, [Nuria]
""",
    "it": """
Nell'inverno del 1929 [Celestina Obertelli] lasciò il paese senza voltarsi indietro.
Accosciati in prima fila: [Jacopo Vallini], [Suleiman Keita] e il magazziniere.
Perché mai [Isotta] non firmò, allora?
Prendete quattro uova, un po' di farina e un pizzico di sale.
Caro [Goffredo], la tua lettera è arrivata stamattina e mi ha fatto molto piacere.
Tesoriera è stata eletta all'unanimità [Sofia Armani].
L'apicoltore [Lorenzo Bicchieri] apre con cautela la prima arnia.
Fino a notte fonda [Ottilia] e suo nipote rimasero chini sulle vecchie carte.
La vedova [Elisabetta Cranz] lascia tre figlie e nove nipoti.
Il museo resta chiuso per lavori fino alla primavera.
Se vedi [Yuri], digli che la barca è pronta.
Al pianoforte [Rodolfo Tebaldi], alla batteria suo figlio.
Da ieri è tornata [Meredith], e nessuno sa dove sia stata.
La pilota [Franca Olivares] spiega ai bambini come si fa atterrare un aereo.
In basso a destra si riconosce l'ingresso del vecchio mulino.
Il melo che [Corrado] ha piantato dà frutti quest'anno per la prima volta.
Contro il parere dei medici [Vilfredo Principe] ha lasciato l'ospedale.
Accanto al fonte battesimale ci sono i genitori, [Berenice] e [Matteo Giossi].
Fu [Adelaide] a vedere per prima la luce sull'altra riva.
La tua sorella che ti vuole bene, [Norberta]
""",
}

EIGHTH = {language: unmarked(text) for language, text in EIGHTH_TEXTS.items()}
NINTH = {language: unmarked(text) for language, text in NINTH_TEXTS.items()}
